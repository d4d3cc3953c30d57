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
        var export = PushExport(url: try Self.url(values), format: format)
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

    /// It may hold a password, so it is not repeated where it cannot be used.
    private static func url(_ values: DocumentObject<Keys>) throws(ConfigurationError) -> URL {
        let path = values.path(of: .url)
        guard let text = try values.string(.url), let url = URL(string: text), ["http", "https"].contains(url.scheme),
            let host = url.host(), !host.isEmpty
        else { throw .invalid(key: path, reason: "expected an address such as http://collector:4318") }
        guard url.user() == nil, url.password() == nil else {
            throw .invalid(key: path, reason: "there is a user in it: name a tokenFile beside it")
        }
        return url
    }
}
