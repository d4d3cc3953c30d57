public import Connectivity
import Resolver

/// A configuration as people and other programs write it: a JSON object in which everything may be left out.
///
/// Times are in seconds, or written as on the command line: `"30s"`, `"500ms"`, `"5m"`. A target's `timeout`, `interval` and
/// `jitter` go before those of all, and its `retries` before `fall`: it falls with the failure after so many in a row. An
/// unknown key is an error, because a misspelt one would otherwise be ignored in silence, and so is one that stands twice, or
/// that means nothing for the kind of target.
public struct ConfigurationDocument: Sendable {
    private let text: String
    private let root: DocumentNode
    private let settings: SettingsDocument

    /// Reads a document.
    ///
    /// - Throws: ``ConfigurationError`` that names the key, its place and what is wrong with it.
    public init(json: String) throws(ConfigurationError) {
        text = json
        root = try DocumentParser.parse(json)
        do throws(ConfigurationError) {
            settings = try SettingsDocument(root)
        } catch {
            throw error.placed(in: root, of: json)
        }
    }

    /// The configuration it describes: the defaults with what the document says.
    ///
    /// - Throws: ``ConfigurationError`` that names the key, its place and what is wrong with it.
    public func configuration() throws(ConfigurationError) -> ConnectivityConfiguration {
        do throws(ConfigurationError) {
            return try Self.configuration(settings)
        } catch {
            throw error.placed(in: root, of: text)
        }
    }

    /// The configuration of a document that was read already, of a file or of several places together.
    ///
    /// - Parameters:
    ///   - root: The whole document.
    ///   - others: Keys of the whole that other readers know, which are passed over here.
    /// - Throws: ``ConfigurationError`` that names the key; only its reader knows its place.
    package static func configuration(
        of root: DocumentNode, besides others: [String] = []
    ) throws(ConfigurationError) -> ConnectivityConfiguration {
        try configuration(SettingsDocument(root, besides: others))
    }

    /// The target that a part of a document describes.
    ///
    /// - Throws: ``ConfigurationError`` that names the key; only its reader knows its place.
    package static func target(of node: DocumentNode, at path: String) throws(ConfigurationError) -> Target {
        try TargetDocument(node, at: path).target(at: path)
    }

    /// The keys of the whole.
    package static var keys: [String] { SettingsDocument.CodingKeys.allCases.map(\.stringValue) }

    private static func configuration(
        _ settings: SettingsDocument
    ) throws(ConfigurationError) -> ConnectivityConfiguration {
        var configuration = settings.plain
        if let targets = settings.targets {
            configuration.targets = try targets.enumerated().map { index, target throws(ConfigurationError) in
                try target.target(at: "targets[\(index)]")
            }
            try validateNames(configuration.targets)
        }
        try positive(settings.rise, "rise").map { configuration.rise = $0 }
        try positive(settings.fall, "fall").map { configuration.fall = $0 }
        configuration.nameServers = try nameServers(settings)
        try validate(configuration)
        try validatePolicy(configuration)
        return configuration
    }

    private static func nameServers(
        _ settings: SettingsDocument
    ) throws(ConfigurationError) -> [String: [NameServer]] {
        var servers: [String: [NameServer]] = [:]
        for (interface, texts) in settings.nameServers ?? [:] {
            servers[interface] = try texts.enumerated().map { index, text throws(ConfigurationError) in
                guard let server = NameServer(text) else {
                    throw .invalid(
                        key: "nameServers.\(interface)[\(index)]",
                        reason: "'\(text)' is no address; write 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53")
                }
                return server
            }
        }
        return servers
    }

    private static func validateNames(_ targets: [Target]) throws(ConfigurationError) {
        var names: Set<String> = []
        for (index, target) in targets.enumerated() where !names.insert(target.name).inserted {
            throw .invalid(key: "targets[\(index)]", reason: "\(TargetError.duplicateName(target.name))")
        }
    }

    private static func validate(_ configuration: ConnectivityConfiguration) throws(ConfigurationError) {
        do throws(ConnectivityError) {
            try configuration.validate()
        } catch {
            guard case .value(let name, let range) = error else { throw .rejected("\(error)") }
            throw .invalid(key: name, reason: "it has to be \(range)")
        }
    }

    /// A policy that nothing could ever meet would say "limited" for good.
    private static func validatePolicy(_ configuration: ConnectivityConfiguration) throws(ConfigurationError) {
        let targets = configuration.targets.filter { $0.role == .target }
        guard configuration.probesEnabled, !targets.isEmpty else { return }
        switch configuration.policy {
        case .quorum(let number) where number > targets.count:
            throw .invalid(key: "policy.quorum", reason: "\(number) of \(targets.count) targets can never be well")
        case .weight(let weight) where weight > targets.reduce(0, { $0 + $1.weight }):
            throw .invalid(
                key: "policy.weight",
                reason: "all targets together weigh \(targets.reduce(0) { $0 + $1.weight }), less than \(weight)")
        default: return
        }
    }

    private static func positive(_ value: Int?, _ key: String) throws(ConfigurationError) -> Int? {
        guard let value else { return nil }
        guard (1...1000).contains(value) else {
            throw .invalid(key: key, reason: "expected a number from 1 to 1000, found \(value)")
        }
        return value
    }
}
