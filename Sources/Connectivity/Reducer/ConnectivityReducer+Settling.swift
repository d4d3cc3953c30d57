internal import EventLoop
internal import Reachability

/// What paths mean for each check. With thousands of checks that is milliseconds of work, which waits until the path itself
/// has been told and is done in slices, so that another path waits for one slice at most.
struct Unsettled: Sendable {
    /// How long the work waits in nanoseconds, so that those who tell the path have their turn first.
    static let pause: UInt64 = 1_000_000

    /// The path before them.
    let path: Path
    /// When the next slice is to be done.
    var due: MonotonicTime
    /// What they mean for each lane.
    var changes: [WayChange]
    /// The first check that has not been looked at since the latest path.
    var next = 0

    /// Whether checks have to be planned anew.
    var isReplan: Bool { changes.contains { $0 != .none } }
}

/// From how many targets on the work is put off, and how many checks a slice of it has.
struct Slicing: Hashable, Sendable {
    /// An event tells all targets up to here: then it has to tell them as they are.
    var mostAtOnce = Event.mostTargets
    var slice = 128
}

extension ConnectivityReducer {
    /// Whether there are so many targets that a path is told first.
    var putsOff: Bool { health.count > slicing.mostAtOnce }

    /// Does what concerns whole lanes, and notes what concerns their checks.
    mutating func putOff(_ changes: [WayChange], from old: Path, at now: MonotonicTime, _ output: inout Output) {
        var work =
            unsettled
            ?? Unsettled(
                path: old, due: MonotonicTime(nanoseconds: now.nanoseconds &+ Unsettled.pause), changes: changes)
        let wanted = wantedLanes
        for (index, change) in changes.enumerated() {
            work.changes[index] = max(work.changes[index], change)
            if change == .other || !wanted.contains(lanes[index].key) { lanes[index].reroute() }
            if change != .none { cancelProbes(of: index, &output) }
        }
        work.next = 0
        unsettled = work
    }

    /// Does the next slice of what was put off, if it is time.
    mutating func settleSlice(at now: Instant, _ output: inout Output) {
        guard let due = unsettled?.due, due <= now.monotonic else { return }
        settle(slicing.slice, at: now, &output)
        unsettled?.due = now.monotonic
    }

    /// Does all that was put off.
    mutating func settle(at now: Instant, _ output: inout Output) {
        settle(checks.count, at: now, &output)
    }

    /// As it will be when all is done.
    func settled(at now: Instant) -> ConnectivityReducer {
        var copy = self
        var output = Output()
        copy.settle(at: now, &output)
        return copy
    }

    private mutating func settle(_ count: Int, at now: Instant, _ output: inout Output) {
        guard let work = unsettled else { return }
        if work.next == 0 { beginReplan(work) }
        let end = min(work.next + count, checks.count)
        if work.isReplan || bindsToMedia {
            for index in work.next..<end { settle(index, work, at: now, &output) }
        }
        unsettled?.next = end
        if end == checks.count || !(work.isReplan || bindsToMedia) { endSettling(work, at: now, &output) }
    }

    private mutating func beginReplan(_ work: Unsettled) {
        guard work.isReplan else { return }
        agenda = Agenda()
        for (index, change) in work.changes.enumerated() where change != .none { lanes[index].beginTurn() }
    }

    /// Forgets what a check has found over another way, and plans it anew.
    private mutating func settle(_ index: Int, _ work: Unsettled, at now: Instant, _ output: inout Output) {
        let change = work.changes[checks[index].lane]
        if change == .other, !keepsLink(index, from: work.path) { update(index) { $0.forget() } }
        if change != .none { planAnew(index, at: now.monotonic) }
        if bindsToMedia { rebind(index, from: work.path, at: now, &output) }
        if let due = checks[index].due { agenda.plan(index, at: due) }
        if putsOff { examineQuietly(checks[index].targetIndex, at: now) }
    }

    private mutating func endSettling(_ work: Unsettled, at now: Instant, _ output: inout Output) {
        unsettled = nil
        for index in lanes.indices where lanes[index].isRerouted { lanes[index].forget() }
        let hasNewLanes = fitLanes(from: work.path, at: now, &output)
        if hasNewLanes, putsOff { health.indices.forEach { examineQuietly($0, at: now) } }
    }
}

extension WayChange: Comparable {
    static func < (lhs: WayChange, rhs: WayChange) -> Bool { lhs.rawValue < rhs.rawValue }
}
