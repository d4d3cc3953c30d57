internal import EventLoop
internal import Reachability

/// What concerns every check is done at once where they are few, and in slices after the news is told where they are many.
/// Meanwhile results wait: whatever they say is taken in after it, as if it had been done in one piece.
extension ConnectivityReducer {
    /// Whether there are so many targets that news is told first.
    var putsOff: Bool { health.count > slicing.mostAtOnce }

    /// Has something done over some lanes, beside what is left to be done already.
    mutating func putOff(
        _ work: [LaneWork], from old: Path? = nil, at now: Instant, _ output: inout Output,
        _ change: (inout Unsettled) -> Void = { _ in }
    ) {
        var all =
            unsettled
            ?? Unsettled(
                path: old ?? path,
                due: MonotonicTime(nanoseconds: now.monotonic.nanoseconds &+ Unsettled.pause),
                lanes: lanes.map { _ in LaneWork() })
        for (index, work) in work.enumerated() { all.lanes[index].add(work) }
        all.begin(.start)
        change(&all)
        unsettled = all
        abandonRefit()
        let isMany = putsOff || (all.configuration?.targets.count ?? 0) > slicing.mostAtOnce
        // The first event tells all targets.
        if !isMany || published == nil { settle(.max, at: now, &output) }
    }

    /// Has something done over one lane.
    mutating func putOff(_ work: LaneWork, of lane: Int, at now: Instant, _ output: inout Output) {
        putOff(lanes.indices.map { $0 == lane ? work : LaneWork() }, at: now, &output)
    }

    /// Does the next slice of what was put off, if it is time.
    mutating func settleSlice(at now: Instant, _ output: inout Output) {
        guard let due = unsettled?.due, due <= now.monotonic else { return }
        settle(slicing.slice, at: now, &output)
        unsettled?.due = now.monotonic
        guard unsettled == nil, settledOrigin == nil, let last = published?.event.cause else { return }
        // What has come of it is judged, and told where it differs from what was told before it.
        settledOrigin = Origin(.cause(last), time: now.monotonic)
    }

    /// As it will be when all is done.
    func settled(at now: Instant) -> ConnectivityReducer {
        var copy = self
        var output = Output()
        copy.settle(.max, at: now, &output)
        return copy
    }

    private mutating func settle(_ count: Int, at now: Instant, _ output: inout Output) {
        var left = count
        while left > 0, let stage = unsettled?.stage {
            // Where there are few from now on, events tell them all.
            if !putsOff, stage != .start, stage != .refit { left = .max }
            switch stage {
            case .start: beginSettling(at: now)
            case .refit: left -= refit(left, at: now, &output)
            case .plan: left -= planSome(left, at: now, &output)
            case .examine: left -= examineSome(left, at: now)
            case .clear: left -= clearSome(left, at: now)
            }
        }
    }

    private mutating func beginSettling(at now: Instant) {
        if beginRefit() {
            unsettled?.begin(.refit)
        } else {
            beginPlanning(at: now)
        }
    }

    // MARK: The checks' plans

    mutating func beginPlanning(at now: Instant) {
        guard let work = unsettled else { return }
        unsettled?.begin(.plan)
        guard work.concernsChecks else { return }
        agenda = Agenda()
        if work.isRefitted { expiry = Agenda() }
        for (index, work) in work.lanes.enumerated() where work.change != .none { lanes[index].beginTurn() }
    }

    private mutating func planSome(_ count: Int, at now: Instant, _ output: inout Output) -> Int {
        guard let work = unsettled else { return 0 }
        let isWanted = work.concernsChecks || bindsTargets
        let end = isWanted ? work.next + min(count, checks.count - work.next) : work.next
        for index in work.next..<end { settle(index, work, at: now, &output) }
        unsettled?.next = end
        guard !isWanted || end == checks.count else { return end - work.next }
        let examines = isWanted && putsOff
        unsettled?.begin(examines ? .examine : .clear)
        return end - work.next
    }

    /// Forgets what a check has found and does not hold any more, and plans it anew.
    private mutating func settle(_ index: Int, _ work: Unsettled, at now: Instant, _ output: inout Output) {
        let own = work.lanes[checks[index].lane]
        if own.isBuried { bury(index) }
        if own.hasLapsed { expireIfOld(index, at: now) }
        if own.change == .other, !keepsLink(checks[index], work) { update(index) { $0.forget() } }
        if own.change != .none, own.spared != index { planAnew(index, at: now.monotonic) }
        if checks[index].isNew { planFirst(index, at: now.monotonic) }
        let isRebound = bindsTargets && rebind(index, from: work.path, at: now, &output)
        if work.isRefitted { replanExpiry(of: index) }
        if let due = checks[index].due, work.concernsChecks || isRebound { agenda.plan(index, at: due) }
        if putsOff { dirty.remove(checks[index].targetIndex) }
        clearAway()
    }

    // MARK: What is known of the targets

    private mutating func examineSome(_ count: Int, at now: Instant) -> Int {
        guard let work = unsettled else { return 0 }
        let end = work.next + min(count, health.count - work.next)
        for target in work.next..<end {
            examineQuietly(target, at: now)
            clearAway()
        }
        unsettled?.next = end
        if end == health.count { unsettled?.begin(.clear) }
        return end - work.next
    }

    private mutating func clearSome(_ count: Int, at now: Instant) -> Int {
        if !putsOff { remains = [] }
        var done = 0
        while done < count, !remains.isEmpty {
            clearAway()
            done += 1
        }
        if remains.isEmpty { endSettling(at: now) }
        return done
    }

    private mutating func endSettling(at now: Instant) {
        guard let work = unsettled else { return }
        unsettled = nil
        if !putsOff, work.concernsChecks { dirty.formUnion(health.indices) }
        for index in lanes.indices {
            lanes[index].settle()
            if work.summoned.contains(lanes[index].key) { summonWitnesses(of: index, at: now) }
        }
    }

    // MARK: Results meanwhile

    /// Takes a result in, or has it wait until what is left to do is done.
    mutating func take(_ finished: Finished, at now: Instant, _ output: inout Output) -> Origin? {
        guard unsettled != nil || !waiting.isEmpty else {
            return take(finished.result, of: finished.probe, at: now, &output)
        }
        if inFlight[finished.probe] != nil { waiting.append(finished) }
        return takeWaiting(at: now, &output)
    }

    /// Takes in the first result that has waited.
    mutating func takeWaiting(at now: Instant, _ output: inout Output) -> Origin? {
        guard unsettled == nil, let first = waiting.popFirst() else { return nil }
        if waiting.isEmpty { waiting = [] }
        return take(first.result, of: first.probe, at: now, &output)
    }

    /// A probe that has ended.
    struct Finished: Sendable {
        let probe: Probe.ID
        let result: ProbeResult
    }
}
