/// What the latest probes have failed for, counted with each result so that a verdict's reason costs the same with 10,000
/// targets.
struct FailureReasons: Hashable, Sendable {
    /// The reasons of all latest results.
    private var all: [ConnectivityReason: Int] = [:]
    /// Those of the targets that are not up.
    private var failing: [ConnectivityReason: Int] = [:]
    /// How many are not up without a reason.
    private var unexplained = 0

    /// Adds so many results, or takes them away.
    mutating func add(_ reason: ConnectivityReason?, isUp: Bool, _ count: Int) {
        if let reason { Self.add(reason, count, to: &all) }
        guard !isUp else { return }
        if let reason { Self.add(reason, count, to: &failing) } else { unexplained += count }
    }

    private static func add(_ reason: ConnectivityReason, _ count: Int, to counts: inout [ConnectivityReason: Int]) {
        let new = counts[reason, default: 0] + count
        counts[reason] = new == 0 ? nil : new
    }

    /// What all that failed have failed for; nil where they do not agree.
    var only: ConnectivityReason? { unexplained == 0 && failing.count == 1 ? failing.keys.first : nil }

    /// What most have failed for of which nothing came back.
    var commonSilence: ConnectivityReason? { common(\.isSilence) }

    /// What most have failed for by this host's own doing.
    var commonOwn: ConnectivityReason? { common(\.isOwn) }

    private func common(_ isOfKind: (ConnectivityReason) -> Bool) -> ConnectivityReason? {
        all.filter { isOfKind($0.key) }.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }
}
