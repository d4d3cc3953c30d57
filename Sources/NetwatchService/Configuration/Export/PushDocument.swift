import FoundationEssentials
import Netwatch

/// One element of the section `service.push`.
package struct PushDocument: Sendable {
    package enum Keys: String, CodingKey, CaseIterable {
        case url, format, interval, tokenFile, caFile
    }

    let configuration: PushExport

    init(_ node: DocumentNode, at path: String) throws(ConfigurationError) {
        let values = try DocumentObject<Keys>(
            node, at: path, expected: "an object such as {\"url\": \"http://collector:4318\", \"format\": \"otlp\"}")
        guard let format = try values.word(.format, PushExport.Format.allCases) else {
            throw .invalid(key: values.path(of: .format), reason: "expected \"otlp\" or \"prometheus\", found nothing")
        }
        let url = try values.address(.url, such: "http://collector:4318", secret: "name a tokenFile beside it")
        var export = PushExport(url: url, format: format)
        try values.duration(.interval).map { export.interval = $0 }
        export.tokenFile = try values.string(.tokenFile, expected: "the path of a file")
        export.caFile = try values.string(.caFile, expected: "the path of a file")
        configuration = export
    }

    /// Every element of a list, or the only one.
    static func all(_ node: DocumentNode, at path: String) throws(ConfigurationError) -> [PushExport] {
        guard case .list(let elements) = node.value else { return [try PushDocument(node, at: path).configuration] }
        guard elements.count <= 8 else {
            throw .invalid(key: path, reason: "expected 8 addresses at most, found \(elements.count)")
        }
        var exports: [PushExport] = []
        for (index, element) in elements.enumerated() {
            exports.append(try PushDocument(element, at: "\(path)[\(index)]").configuration)
        }
        return exports
    }
}
