import Connectivity

/// Which targets answer and which do not, as a sentence: never "some" of one, nor "all" where one was not asked.
struct Answers {
    /// So many are named.
    private static let most = 5

    private let event: Event
    private let total: Int
    private let up: Int
    /// Those that were asked and do not answer as expected.
    private let failing: [TargetHealth]
    /// Those that this host may not ask.
    private let unasked: [TargetHealth]

    /// - Parameter event: The state with all targets: a snapshot, and not an event that tells what it is about.
    init(_ event: Event) {
        self.event = event
        total = event.targets.count
        up = event.targets.count { $0.status == .up }
        unasked = event.targets.filter { $0.status == .unknown && $0.reason == .notPermitted }
        failing = event.targets.filter { $0.status != .up && $0.reason != nil && $0.reason != .notPermitted }
    }

    /// Whether every target is one that this host may not ask.
    var isNoneAskable: Bool { total > 0 && unasked.count == total }

    // MARK: By connectivity

    var ofFull: String {
        if up == total { return "all that was asked for answers" }
        let pending = total - up - failing.count - unasked.count
        let rest = pending > 0 ? "; \(pending) of \(total) targets have not answered yet" : ""
        return failing.isEmpty && unasked.isEmpty
            ? "what has been asked answers\(rest)" : "enough of what was asked for answers\(names)"
    }

    var ofLimited: String {
        if up == total { return "all targets answer, and not over every way\(reason)" }
        if up > 0, failing.isEmpty, !unasked.isEmpty { return "all that could be asked answers\(names)" }
        if up > 0 { return "some of what was asked for does not answer\(reason)\(names)" }
        return total == 1
            ? "the target does not answer as expected\(reason)\(names)"
            : "no target answers as expected\(reason)\(names)"
    }

    var ofLocal: String {
        if up > 0 { return "only this network answers\(reason)\(names)" }
        return total == 1
            ? "there is a path, and the target does not answer\(reason)\(names)"
            : "there is a path, and no target answers\(reason)\(names)"
    }

    var ofUnknown: String {
        if isNoneAskable { return "nothing could be asked: \(Self.list(unasked, Self.leave) ?? "")" }
        // Results that have become too old, for example.
        let known = event.targets.first { $0.blame == .host && $0.reason == nil }
        if let evidence = known?.evidence { return "nothing is known: \(DisplayText.safe(evidence))" }
        return failing.isEmpty && unasked.isEmpty ? "no probe has ended yet" : "nothing is certain yet\(names)"
    }

    // MARK: Parts

    /// The verdict's own reason, where those of the targets that are named do not tell it.
    private var reason: String {
        guard let reason = event.reason, ![.targetsFailed, .notPermitted].contains(reason),
            !failing.prefix(Self.most).contains(where: { $0.reason == reason })
        else { return "" }
        return " (\(reason.rawValue))"
    }

    /// `: shop (connection-refused), bank (timeout) and 3 more; not asked: router (…)`
    private var names: String {
        let failed = Self.list(failing) { $0.reason.map(\.rawValue) }
        let silent = Self.list(unasked, Self.leave)
        return (failed.map { ": \($0)" } ?? "") + (silent.map { "; not asked: \($0)" } ?? "")
    }

    /// How this host can be made to ask it.
    private static func leave(_ target: TargetHealth) -> String? { target.evidence ?? target.reason?.rawValue }

    private static func list(_ targets: [TargetHealth], _ why: (TargetHealth) -> String?) -> String? {
        guard !targets.isEmpty else { return nil }
        let named = targets.prefix(most).map { target in
            DisplayText.safe(target.target) + (why(target).map { " (\(DisplayText.safe($0)))" } ?? "")
        }
        let rest = targets.count - named.count
        return named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
