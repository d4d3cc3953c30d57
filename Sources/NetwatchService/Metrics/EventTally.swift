package import Connectivity
import Reachability

/// What is counted over all events since the start: a fold, with no clock inside.
package struct EventTally: Hashable, Sendable {
    fileprivate struct Transition: Hashable {
        let subject: String
        let from: String
        let to: String
        let reason: String
    }

    private var events: [String: UInt64] = [:]
    private var transitions: [Transition: UInt64] = [:]
    private var skipped: UInt64 = 0
    /// On the monotonic clock, in nanoseconds: the wall clock may be set.
    private var lastChange: UInt64?

    package init() {}

    /// Counts an event.
    package mutating func record(_ event: Event) {
        events[event.kind.rawValue, default: 0] += 1
        skipped += event.skipped
        lastChange = event.monotonic
        guard let from = event.from else { return }
        let reason = event.path.reason?.rawValue ?? event.cause.kind.rawValue
        count("reachability", from.reachability.rawValue, event.to.reachability.rawValue, reason)
        // Where there is no path, the path tells why.
        let verdict = event.reason == .noPath ? nil : event.reason?.rawValue
        count("connectivity", from.connectivity.rawValue, event.to.connectivity.rawValue, verdict ?? reason)
    }

    private mutating func count(_ subject: String, _ from: String, _ to: String, _ reason: String) {
        guard from != to else { return }
        transitions[Transition(subject: subject, from: from, to: to, reason: reason), default: 0] += 1
    }

    /// The counts as families.
    ///
    /// - Parameter now: The state as it is, with the clocks as they go now; nil where there is none.
    package func families(at now: Event?) -> [MetricFamily] {
        let changed = lastChange.flatMap { moment in now.map { $0.wallSeconds(moment) } }
        return [
            MetricFamily(
                "netwatch_transitions_total", .counter,
                help: "Changes of the reachability or the connectivity, by what they led from and to.",
                transitions.sorted { $0.key.order < $1.key.order }.map { transition, count in
                    .init(Double(count), transition.labels)
                }),
            MetricFamily(
                "netwatch_events_total", .counter, help: "Events published, by type.",
                events.sorted { $0.key < $1.key }.map { .init(Double($0.value), [.init("type", $0.key)]) }),
            MetricFamily(
                "netwatch_events_dropped_total", .counter, help: "Events that a sink was too slow to take.",
                [.init(Double(skipped), [.init("sink", "metrics")])]),
            MetricFamily(
                "netwatch_path_last_change_timestamp_seconds", .gauge, help: "When the state last changed.",
                changed.map { [.init($0)] } ?? []),
        ]
    }
}

extension EventTally.Transition {
    fileprivate var order: String { "\(subject) \(from) \(to) \(reason)" }

    fileprivate var labels: [MetricFamily.Label] {
        [.init("subject", subject), .init("from", from), .init("to", to), .init("reason", reason)]
    }
}
