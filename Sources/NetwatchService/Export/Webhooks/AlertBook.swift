import Connectivity
import JSON
import Netwatch

/// Which alerts fire, and which have ended and are still to be told of: what Alertmanager is told, which forgets what nobody
/// repeats. A value without a clock.
struct AlertBook: Sendable {
    /// What an alert is about.
    enum Subject: Hashable, Sendable {
        /// This host's connectivity as a whole.
        case host
        case target(String)

        fileprivate var order: String {
            switch self {
            case .host: ""
            case .target(let name): "\u{1}" + name
            }
        }
    }

    private struct Alert: Sendable {
        /// In nanoseconds on the monotonic clock, as is the end: the wall clock may be set.
        let start: UInt64
        var end: UInt64?
        var words: String
    }

    private var alerts: [Subject: Alert] = [:]

    var count: Int { alerts.count }

    /// Takes the state as it is. What is not known changes nothing.
    ///
    /// - Parameter targets: The only ones that are told of; empty for all.
    mutating func take(_ event: Event, targets: Set<String>) {
        let now = event.monotonic
        if targets.isEmpty {
            switch event.connectivity {
            case .full: end(.host, now)
            case .none, .local, .portal, .limited: fire(.host, now, VerdictWords.meaning(event))
            case .unknown where event.reachability == .none: fire(.host, now, VerdictWords.meaning(event))
            // Where nothing is probed, a path is all that can be known.
            case .unknown: if event.reachability.isReachable, !VerdictWords.isProbed(event) { end(.host, now) }
            }
        }
        let wanted = event.targets.filter { targets.isEmpty || targets.contains($0.target) }
        for health in wanted {
            switch health.status {
            case .up: end(.target(health.target), now)
            case .down: fire(.target(health.target), now, Self.words(health))
            case .unknown: continue
            }
        }
        let known = Set(wanted.map(\.target))
        for case .target(let name) in alerts.keys where !known.contains(name) { end(.target(name), now) }
    }

    /// The alerts as Alertmanager's API has them (`POST /api/v2/alerts`).
    ///
    /// - Parameters:
    ///   - now: The state as it is, with the clocks as they go now.
    ///   - lapse: When those that fire end by themselves, in nanoseconds since 1970.
    func json(of origin: EventOrigin, at now: Event, lapse: UInt64) -> JSONValue {
        let sorted = alerts.sorted { $0.key.order < $1.key.order }
        return .array(sorted.map { Self.json($0.key, $0.value, origin, now, lapse) })
    }

    /// What has ended was told.
    mutating func told() {
        alerts = alerts.filter { $0.value.end == nil }
    }

    // MARK: Parts

    private mutating func fire(_ subject: Subject, _ now: UInt64, _ words: String) {
        let known = alerts[subject].flatMap { $0.end == nil ? $0 : nil }
        alerts[subject] = Alert(start: known?.start ?? now, words: words)
    }

    private mutating func end(_ subject: Subject, _ now: UInt64) {
        guard alerts[subject]?.end == nil else { return }
        alerts[subject]?.end = now
    }

    private static func words(_ health: TargetHealth) -> String {
        let facts = [health.reason?.rawValue, health.blame.map { "blame: \($0.rawValue)" }, health.evidence]
        return facts.compactMap(\.self).joined(separator: ", ")
    }

    private static func json(
        _ subject: Subject, _ alert: Alert, _ origin: EventOrigin, _ now: Event, _ lapse: UInt64
    ) -> JSONValue {
        var labels: JSONObject = [:]
        for (name, value) in origin.labels.sorted(by: { $0.key < $1.key }) { labels[name] = .string(value) }
        labels["instance"] = .string(origin.name)
        labels["host_id"] = .string(origin.id)
        let summary: String
        switch subject {
        case .host:
            labels["alertname"] = "NetwatchHostDown"
            labels["severity"] = "critical"
            summary = "\(origin.name) does not reach all that it should"
        case .target(let name):
            labels["alertname"] = "NetwatchTargetDown"
            labels["severity"] = "warning"
            labels["target"] = .string(name)
            summary = "\(origin.name) does not reach \(name)"
        }
        let (start, end) = (now.wallNanoseconds(alert.start), alert.end.map(now.wallNanoseconds) ?? lapse)
        return .object([
            "labels": .object(labels),
            "annotations": .object(["summary": .string(summary), "description": .string(alert.words)]),
            // The clock may have been set back since the state was read: what ends before it begins is refused.
            "startsAt": .string(TimeText.rfc3339(min(start, end))),
            "endsAt": .string(TimeText.rfc3339(end)),
        ])
    }
}
