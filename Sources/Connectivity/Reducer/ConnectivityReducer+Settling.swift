internal import EventLoop
internal import Reachability

/// What paths mean for each check. With thousands of checks that is milliseconds of work, which has to wait until the path
/// itself has been told.
struct Unsettled: Sendable {
    /// How long the work waits in nanoseconds, so that those who tell the path have their turn first.
    static let pause: UInt64 = 1_000_000

    /// The path before them.
    let path: Path
    /// When it is to be done at the latest.
    let due: MonotonicTime
    /// What they mean for each lane.
    var changes: [WayChange]
}

extension ConnectivityReducer {
    /// Whether there are so many targets that a path is told first.
    var putsOff: Bool { configuration.targets.count > Spread.burst }

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
        unsettled = work
    }

    /// Does what was put off: forgets what was found over other ways, and plans anew.
    mutating func settle(at now: Instant, _ output: inout Output) {
        guard let work = unsettled.take() else { return }
        for (index, change) in work.changes.enumerated() where change != .none {
            if change == .other { forget(index, from: work.path) }
            plan(lane: index, at: now.monotonic)
        }
        rebind(from: work.path, at: now, &output)
        fitLanes(from: work.path, at: now, &output)
        if work.changes.contains(where: { $0 != .none }) { replan() }
    }
}

extension WayChange: Comparable {
    static func < (lhs: WayChange, rhs: WayChange) -> Bool { lhs.rawValue < rhs.rawValue }
}
