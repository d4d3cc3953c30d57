internal import EventLoop
internal import Evidence

/// Where the model goes wrong.
extension World {
    /// Whether it says exactly what is so.
    var isRight: Bool {
        guard let verdict, truth.statuses.contains(verdict.status), truth.culprits.contains(verdict.culprit) else {
            return false
        }
        let down = downTargets
        return truth.isDown.isSubset(of: down) && down.isSubset(of: truth.mayBeDown)
    }

    /// What was so before may not be told any more.
    mutating func hold(_ new: Truth) {
        (truth, lastTruth, looked, wrongSince) = (new, new, nil, nil)
    }

    /// By now all that is so has to be told.
    mutating func check(amid faults: [Fault]) {
        guard !isAsleep, !isRight else { return }
        let words =
            verdict.map { "\($0.status), \($0.culprit?.rawValue ?? "-"), down \(downTargets.sorted())" } ?? "nothing"
        report.lies.append("still \(words) amid \(faults)")
        if isTracing { print("   \(seconds(since: begin)) still \(words)") }
    }

    private var downTargets: Set<Int> {
        Set(watched.indices.filter { watched[$0].role != .witness && health($0)?.status == .down })
    }

    /// An announcement blames an innocent target, or says what is not so.
    mutating func judge(_ announcement: Announcement) {
        if report.hasCause { report.events += 1 }
        report.allEvents += 1
        if isTracing { trace(announcement) }
        let verdict = announcement.verdict
        let isFresh = seconds(since: truthSince) < max(truth.grace, lastTruth.grace)
        let may = isFresh ? [truth, lastTruth] : [truth]
        func lie(_ what: String) {
            report.lies.append(what)
            if isTracing { print("      LIE: \(what)") }
        }
        if let culprit = verdict.culprit, !may.contains(where: { $0.culprits.contains(culprit) }) {
            lie("blames \(culprit.rawValue)")
        }
        if [.portal, .local, .none].contains(verdict.status),
            !may.contains(where: { $0.statuses.contains(verdict.status) })
        {
            lie("says \(verdict.status)")
        }
        if verdict.status == .full, !may.contains(where: { $0.statuses.contains(.full) }) { lie("says full") }
        for change in announcement.changes where change.health.status == .down {
            if !may.contains(where: { $0.mayBeDown.contains(change.target) }) { lie("target \(change.target) down") }
        }
    }

    /// Notes how long it takes to be right, and whether it goes on telling what is not so any more.
    mutating func watch() {
        guard !isAsleep else { return }
        let known = looked.flatMap { $0.revision == revision ? $0.isRight : nil }
        let isRightNow = known ?? isRight
        looked = (revision, isRightNow)
        if isRightNow {
            if report.rightAt == nil { report.rightAt = now }
            wrongSince = nil
            return
        }
        report.rightAt = nil
        guard let verdict, verdict.status == .full, !truth.statuses.contains(.full) else { return }
        let since = wrongSince ?? now
        wrongSince = since
        if seconds(since: since) > truth.grace, !report.lies.contains("full too long") {
            report.lies.append("full too long")
        }
    }

    private func seconds(since time: MonotonicTime) -> Double {
        Double(now.nanoseconds &- time.nanoseconds) / 1e9
    }

    private func trace(_ announcement: Announcement) {
        let verdict = announcement.verdict
        let changes = announcement.changes.map { change in
            let health = change.health
            return
                "\(change.target) \(health.status) \(health.culprit?.rawValue ?? "") \(health.reason?.rawValue ?? "")"
        }
        print(
            "   \(seconds(since: begin)): \(verdict.status) \(verdict.culprit?.rawValue ?? "-")",
            "\(verdict.reason?.rawValue ?? "-") flaps \(announcement.flaps ?? 0) [\(changes.joined(separator: ", "))]",
            "+\(max(0, announcement.changes.count - 20))")
    }
}
