public import Connectivity
import FoundationEssentials
import Resolver

/// A configuration as people and other programs write it: a JSON object in which everything may be left out.
///
/// Times are in seconds. A target's `timeout`, `interval` and `jitter` go before those of all, and its `retries` before
/// `fall`: it falls with the failure after so many in a row. An unknown key is an error, because a misspelt one would otherwise be ignored in silence.
public struct ConfigurationDocument: Sendable {
    private let settings: SettingsDocument

    /// Reads a document.
    ///
    /// - Throws: ``ConfigurationError`` that names the key and what is wrong with it.
    public init(json: String) throws(ConfigurationError) {
        do {
            settings = try JSONDecoder().decode(SettingsDocument.self, from: Data(json.utf8))
        } catch let error as DecodingError {
            guard case .unreadable = ConfigurationError(error) else { throw ConfigurationError(error) }
            // The decoder does not say where the mistake is.
            guard let mistake = JSONSyntax.mistake(in: json) else { throw ConfigurationError(error) }
            throw .unreadable(mistake)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// The configuration it describes: the defaults with what the document says.
    public func configuration() throws(ConfigurationError) -> ConnectivityConfiguration {
        var configuration = ConnectivityConfiguration()
        if let targets = settings.targets {
            configuration.targets = try targets.enumerated().map { index, target throws(ConfigurationError) in
                try target.target(at: "targets[\(index)]")
            }
        }
        settings.probes.map { configuration.probesEnabled = $0 }
        try Self.seconds(settings.interval, "interval").map { configuration.interval = $0 }
        try Self.seconds(settings.retryDelay, "retryDelay").map { configuration.retryDelay = $0 }
        try Self.seconds(settings.timeout, "timeout").map { configuration.timeout = $0 }
        try Self.positive(settings.rise, "rise").map { configuration.rise = $0 }
        try Self.positive(settings.fall, "fall").map { configuration.fall = $0 }
        settings.jitter.map { configuration.jitter = $0 }
        settings.staleIntervals.map { configuration.staleIntervals = $0 }
        configuration.damping = try settings.damping?.damping()
        settings.perInterface.map { configuration.perInterface = $0 }
        settings.perFamily.map { configuration.perFamily = $0 }
        settings.policy.map { configuration.policy = $0.policy }
        settings.uplinkPolicy.map { configuration.uplinkPolicy = $0 }
        configuration.nameServers = try nameServers()
        settings.portalAPIs.map { configuration.portalAPIs = $0 }
        settings.metered.map { configuration.metered = $0 }
        settings.maximumProbesInFlight.map { configuration.maximumProbesInFlight = $0 }
        settings.caFile.map { configuration.certificateAuthorityFile = $0 }
        configuration.traffic = try settings.traffic?.traffic()
        try Self.validate(configuration)
        try Self.validatePolicy(configuration)
        return configuration
    }

    private func nameServers() throws(ConfigurationError) -> [String: [NameServer]] {
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

    static func seconds(_ value: Double?, _ key: String) throws(ConfigurationError) -> Duration? {
        guard let value else { return nil }
        guard value.isFinite, value > 0, value <= 86_400 else {
            throw .invalid(key: key, reason: "expected seconds, more than 0 and at most 86400, found \(value)")
        }
        return .seconds(value)
    }

    private static func positive(_ value: Int?, _ key: String) throws(ConfigurationError) -> Int? {
        guard let value else { return nil }
        guard (1...1000).contains(value) else {
            throw .invalid(key: key, reason: "expected a number from 1 to 1000, found \(value)")
        }
        return value
    }
}
