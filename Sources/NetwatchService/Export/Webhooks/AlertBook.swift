import Connectivity
import History
import JSON
import Netwatch

/// Which alerts fire, and which have ended and are still to be told of: what Alertmanager is told, which forgets what is not
/// repeated. A value without a clock.
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
        /// In nanoseconds on the clock that goes on in suspend, as is the end: the wall clock may be set.
        let start: Int64
        var end: Int64?
        var words: String
    }

    private var alerts: [Subject: Alert] = [:]

    var count: Int { alerts.count }

    /// Takes the state as it is. What is not known changes nothing.
    ///
    /// - Parameters:
    ///   - stamp: When that is.
    ///   - targets: The only ones that are told of; empty for all.
    mutating func take(_ event: Event, at stamp: Stamp, targets: Set<String>) {
        let now = stamp.boot
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
    ///   - now: The clocks as they go now.
    ///   - lapse: When those that fire end by themselves, in nanoseconds since 1970.
    func json(of origin: EventOrigin, at now: Stamp, lapse: UInt64) -> JSONValue {
        let sorted = alerts.sorted { $0.key.order < $1.key.order }
        return .array(sorted.map { Self.json($0.key, $0.value, origin, now, lapse) })
    }

    /// What has ended was told.
    mutating func told() {
        alerts = alerts.filter { $0.value.end == nil }
    }

    // MARK: Parts

    private mutating func fire(_ subject: Subject, _ now: Int64, _ words: String) {
        let known = alerts[subject].flatMap { $0.end == nil ? $0 : nil }
        alerts[subject] = Alert(start: known?.start ?? now, words: words)
    }

    private mutating func end(_ subject: Subject, _ now: Int64) {
        guard alerts[subject]?.end == nil else { return }
        alerts[subject]?.end = now
    }

    /// A moment in nanoseconds since 1970, by the wall clock as it goes now.
    private static func wall(_ moment: Int64, _ now: Stamp) -> UInt64 {
        UInt64(clamping: now.wall - (now.boot - moment))
    }

    private static func words(_ health: TargetHealth) -> String {
        let facts = [health.reason?.rawValue, health.blame.map { "blame: \($0.rawValue)" }, health.evidence]
        return facts.compactMap(\.self).joined(separator: ", ")
    }

    private static func json(
        _ subject: Subject, _ alert: Alert, _ origin: EventOrigin, _ now: Stamp, _ lapse: UInt64
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
        let (start, end) = (wall(alert.start, now), alert.end.map { wall($0, now) } ?? lapse)
        return .object([
            "labels": .object(labels),
            "annotations": .object(["summary": .string(summary), "description": .string(alert.words)]),
            // The clock may have been set back since the state was read: what ends before it begins is refused.
            "startsAt": .string(TimeText.rfc3339(min(start, end))),
            "endsAt": .string(TimeText.rfc3339(end)),
        ])
    }
}
