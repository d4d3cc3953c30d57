import MQTT
import Netwatch

/// The section `service.mqtt` of a configuration document.
package struct MQTTDocument: Sendable {
    package enum Keys: String, CodingKey, CaseIterable {
        case brokers, prefix, version, caFile, certificateFile, keyFile, user, passwordFile, heartbeat, homeAssistant
    }

    let configuration: MQTTExport

    init(_ node: DocumentNode, at path: String) throws(ConfigurationError) {
        let values = try DocumentObject<Keys>(
            node, at: path, expected: "an object such as {\"brokers\": \"mqtts://broker.example\"}")
        var export = MQTTExport(brokers: try Self.brokers(values))
        try Self.prefix(.prefix, values).map { export.prefix = $0 }
        if let node = values.node(.version) {
            let words = "\"3.1.1\" or \"5\""
            let text = node.text ?? (try? values.wholeNumber(.version)).map { "\($0)" }
            guard let version = text.flatMap(MQTTSettings.Version.init) else {
                throw values.mismatch(.version, expected: words, node)
            }
            export.version = version
        }
        let file = "the path of a file"
        export.caFile = try values.string(.caFile, expected: file)
        export.certificateFile = try values.string(.certificateFile, expected: file)
        export.keyFile = try values.string(.keyFile, expected: file)
        export.user = try values.string(.user)
        export.passwordFile = try values.string(.passwordFile, expected: file)
        try values.duration(.heartbeat).map { export.heartbeat = $0 }
        export.homeAssistant = try Self.prefix(.homeAssistant, values)
        try Self.check(export, values)
        configuration = export
    }

    private static func check(_ export: MQTTExport, _ values: DocumentObject<Keys>) throws(ConfigurationError) {
        if export.passwordFile != nil, export.user == nil {
            throw .invalid(key: values.path(of: .passwordFile), reason: "there is no user beside it: name one")
        }
        if (export.certificateFile == nil) != (export.keyFile == nil) {
            let key = export.certificateFile == nil ? Keys.keyFile : .certificateFile
            throw .invalid(key: values.path(of: key), reason: "certificateFile and keyFile belong together: name both")
        }
    }

    private static let brokerWords = "a broker, \"mqtts://broker.example\", or a list of them"

    private static func brokers(_ values: DocumentObject<Keys>) throws(ConfigurationError) -> [Broker] {
        let path = values.path(of: .brokers)
        guard let node = values.node(.brokers) else {
            throw .invalid(key: path, reason: "expected \(brokerWords), found nothing")
        }
        var texts = node.text.map { [$0] } ?? []
        if node.text == nil { texts = try node.strings(at: path, expected: brokerWords) }
        guard (1...16).contains(texts.count) else {
            throw .invalid(key: path, reason: "expected 1 to 16 brokers, found \(texts.count)")
        }
        var brokers: [Broker] = []
        for (index, text) in texts.enumerated() {
            do throws(Broker.Mistake) { brokers.append(try Broker(text)) } catch {
                throw .invalid(key: node.text == nil ? "\(path)[\(index)]" : path, reason: "\(error)")
            }
        }
        return brokers
    }

    /// A part of a topic: neither a wildcard nor what a broker keeps for itself.
    private static func prefix(_ key: Keys, _ values: DocumentObject<Keys>) throws(ConfigurationError) -> String? {
        guard let prefix = try values.string(key) else { return nil }
        let levels = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count <= 8 else {
            throw .invalid(key: values.path(of: key), reason: "expected 8 levels at most, found \(levels.count)")
        }
        for level in levels { try HostLabels.check(name: String(level), at: values.path(of: key)) }
        return prefix
    }
}
