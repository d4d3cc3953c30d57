import Connectivity
import FoundationEssentials
import MQTT
import NetworkAddress
import Reachability
import RequestEngine

/// A value that is in force, in the words of the configuration document. What may be secret is not shown.
struct Setting: Hashable, Sendable {
    let key: String
    let value: String

    init(_ key: String, _ value: String) {
        self.key = key
        self.value = DisplayText.safe(value)
    }

    static let hidden = "(hidden)"

    /// The whole, and each target by its place in the document.
    static func all(of configuration: ConnectivityConfiguration) -> [Setting] {
        general(configuration)
            + configuration.targets.enumerated().flatMap { index, target in
                own(of: target).map { Setting("targets[\(index)].\($0.key)", $0.value) }
            }
    }

    /// What concerns all targets.
    static func general(_ configuration: ConnectivityConfiguration) -> [Setting] {
        let damping = configuration.damping
        return [
            Setting("probes", "\(configuration.probesEnabled)"),
            Setting("interval", words(configuration.interval)), Setting("jitter", "\(configuration.jitter)"),
            Setting("retryDelay", words(configuration.retryDelay)), Setting("timeout", words(configuration.timeout)),
            Setting("rise", "\(configuration.rise)"), Setting("fall", "\(configuration.fall)"),
            Setting("defaultProbes", "\(configuration.asksWitnesses)"),
            Setting("staleIntervals", "\(configuration.staleIntervals)"),
            Setting("damping", damping.map(words) ?? "none"),
            Setting("perInterface", "\(configuration.perInterface)"),
            Setting("perFamily", "\(configuration.perFamily)"), Setting("policy", words(configuration.policy)),
            Setting("uplinkPolicy", configuration.uplinkPolicy.rawValue),
            Setting("nameServers", table(configuration.nameServers.mapValues { list($0.map { "\($0)" }) })),
            Setting("portalAPIs", table(configuration.portalAPIs)), Setting("metered", list(configuration.metered)),
            Setting("maximumProbesInFlight", "\(configuration.maximumProbesInFlight)"),
            Setting("caFile", configuration.certificateAuthorityFile ?? "the system's"),
            Setting("traffic", configuration.traffic.map { $0.interval.map(words) ?? "true" } ?? "false"),
        ]
    }

    /// What is said of one target; what is as for all others is left out.
    static func own(of target: Target) -> [Setting] {
        let plain = try? Target(target.url)
        let answer = target.expectation
        let optional: [(String, String?)] = [
            ("name", target.name), ("url", withoutUser(target.url)),
            ("role", target.role == .target ? nil : target.role.rawValue),
            ("method", target.method == "GET" ? nil : target.method),
            ("headers", target.headers.isEmpty ? nil : table(target.headers.mapValues { _ in hidden })),
            ("requestBody", target.requestBody.map { _ in hidden }),
            ("httpVersion", target.httpVersion?.rawValue), ("redirects", target.redirects.map(String.init)),
            ("proxy", target.proxy.map(withoutUser)), ("timeout", target.timeout.map(words)),
            ("interval", target.interval.map(words)), ("jitter", target.jitter.map { "\($0)" }),
            ("retries", target.retries.map(String.init)), ("interface", target.interface),
            ("medium", target.medium?.rawValue),
            ("family", target.family == plain?.family ? nil : target.family?.rawValue),
            ("eachAddress", target.eachAddress ? "true" : nil), ("public", target.isPublic ? "true" : nil),
            ("weight", target.weight == 1 ? nil : "\(target.weight)"),
            ("labels", target.labels.isEmpty ? nil : table(target.labels)),
            ("expect", answer.kind == .ordinary ? nil : answer.kind.rawValue),
            ("statuses", isUsual(answer) ? nil : "\(answer.statuses)"),
            ("body", body(answer.body)), ("json", json(answer.body)),
            ("header", answer.header.map { "\($0.name): \(hidden)" }),
            ("certificateDays", answer.certificateDays.map(String.init)),
            ("maximumBodySize", target.maximumBodySize.map(String.init)),
        ]
        return optional.compactMap { key, value in value.map { Setting(key, $0) } }
    }

    static func all(of service: ServiceConfiguration) -> [Setting] {
        let socket =
            switch service.socket {
            case .usual: ServiceConfiguration.Socket.usualPath
            case .path(let path): path
            case .none: "none"
            }
        return [
            Setting("service.listen", list(service.listen.map { "\($0)" })), Setting("service.socket", socket),
            Setting("service.tokenFile", service.tokenFile ?? "none"),
            Setting("service.openToAll", "\(service.openToAll)"), Setting("service.hosts", list(service.hosts)),
            Setting("service.maximumConnections", "\(service.maximumConnections)"),
            Setting("service.maximumReaders", "\(service.maximumReaders)"),
            Setting("service.modules", list(service.modules.keys.sorted())),
            Setting("service.targetHistograms", "\(service.targetHistograms)"),
            Setting("service.history", words(service.history)),
            Setting("service.name", service.name ?? "the host's own"),
            Setting("service.labels", table(service.labels)),
        ] + modules(service.modules) + mqtt(service.mqtt) + push(service.push) + hooks(service.hooks)
            + webhooks(service.webhooks)
    }

    private static func modules(_ modules: [String: ProbeModule]) -> [Setting] {
        modules.sorted { $0.key < $1.key }.flatMap { name, module in
            [Setting("service.modules.\(name).url", withoutUser(module.pattern))]
                + own(of: module.template).filter { !["name", "url"].contains($0.key) }
                .map { Setting("service.modules.\(name).\($0.key)", $0.value) }
        }
    }

    private static func push(_ exports: [PushExport]) -> [Setting] {
        exports.isEmpty ? [Setting("service.push", "none")] : exports.enumerated().flatMap(push)
    }

    private static func push(_ index: Int, _ export: PushExport) -> [Setting] {
        let key = "service.push[\(index)]"
        return [
            Setting("\(key).url", withoutPath(export.url)),
            Setting("\(key).format", export.format.rawValue), Setting("\(key).interval", words(export.interval)),
            Setting("\(key).tokenFile", export.tokenFile ?? "none"),
            Setting("\(key).caFile", export.caFile ?? "the system's"),
        ]
    }

    private static func mqtt(_ export: MQTTExport?) -> [Setting] {
        guard let export else { return [Setting("service.mqtt", "none")] }
        let secrets = [
            ("caFile", export.caFile), ("certificateFile", export.certificateFile), ("keyFile", export.keyFile),
            ("user", export.user), ("passwordFile", export.passwordFile),
        ]
        return [
            Setting("service.mqtt.brokers", list(export.brokers.map { "\($0)" })),
            Setting("service.mqtt.prefix", export.prefix), Setting("service.mqtt.version", export.version.rawValue),
            Setting("service.mqtt.heartbeat", words(export.heartbeat)),
            Setting("service.mqtt.homeAssistant", export.homeAssistant ?? "none"),
        ] + secrets.map { Setting("service.mqtt.\($0.0)", $0.1 ?? "none") }
    }

    // MARK: Words

    static func words(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds != 0 else { return "\(seconds)s" }
        let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
        return Int(exactly: milliseconds).map { "\($0)ms" } ?? "\(milliseconds)ms"
    }

    private static func words(_ damping: FlapDamping.Configuration) -> String {
        "{penalty: \(damping.penalty), suppress: \(damping.suppress), reuse: \(damping.reuse), "
            + "halfLife: \(words(damping.halfLife)), ceiling: \(damping.ceiling)}"
    }

    private static func words(_ history: ServiceConfiguration.HistorySettings) -> String {
        guard history.isKept else { return "false" }
        let path = history.path ?? HistoryPlace.usual
        return "{path: \(path), days: \(history.days), megabytes: \(history.megabytes)}"
    }

    private static func words(_ policy: ConnectivityPolicy) -> String {
        switch policy {
        case .all: "all"
        case .any: "any"
        case .quorum(let number): "{quorum: \(number)}"
        case .weight(let weight): "{weight: \(weight)}"
        }
    }

    private static func isUsual(_ answer: Expectation) -> Bool {
        answer.statuses == usualStatuses(answer.kind) && !answer.excludesRedirects
    }

    private static func usualStatuses(_ kind: Expectation.Kind) -> StatusCodes {
        switch kind {
        case .ordinary: Expectation.ordinary.statuses
        case .noContent: Expectation.noContent.statuses
        case .challenge: Expectation.challenge.statuses
        case .body: Expectation.body("").statuses
        }
    }

    static func list(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }

    static func table(_ pairs: [String: String]) -> String {
        "{\(pairs.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
    }

    private static func body(_ body: Expectation.Body?) -> String? {
        switch body {
        case .exact(let text), .prefix(let text), .expression(let text): text
        case .json, nil: nil
        }
    }

    private static func json(_ body: Expectation.Body?) -> String? {
        guard case .json(let match) = body else { return nil }
        return table(["pointer": match.pointer, "equals": match.value ?? "anything"])
    }

    /// A URL whose path and query are not shown: many services know their users by these alone.
    static func withoutPath(_ url: URL) -> String {
        let rest = url.absoluteString.dropFirst(url.place.count)
        return url.place + (rest.isEmpty || rest == "/" ? "" : "/\(hidden)")
    }

    /// A URL whose user and password are not shown.
    private static func withoutUser(_ url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return url[..<start] + hidden + url[at...]
    }
}
