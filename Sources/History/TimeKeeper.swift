/// A time in which the wall clock went as it should, in milliseconds since 1970-01-01 UTC.
struct Stretch: Hashable, Sendable {
    enum Kind: Int64 {
        case watched = 1
        case suspended = 2
    }

    var kind: Kind
    var since: Int64
    var until: Int64
}

/// Follows the clocks from one moment to the next: where the wall clock was set, or the host was suspended, one stretch ends
/// and another begins. A value without a clock of its own.
struct TimeKeeper {
    /// Less is the work of what keeps the clock right without setting it, or of the time between two readings.
    private static let tolerance: Int64 = 100_000_000

    private var last: Stamp
    /// The stretch that goes on.
    private(set) var current: Stretch

    init(at stamp: Stamp) {
        last = stamp
        current = Self.stretch(at: stamp)
    }

    /// Goes on to a later moment.
    ///
    /// - Returns: The stretches that have ended before it, in their order; none where the current one goes on.
    mutating func advance(to stamp: Stamp) -> [Stretch] {
        // Two threads may have read the clocks in the other order.
        guard stamp.monotonic >= last.monotonic else { return [] }
        let awake = stamp.monotonic - last.monotonic
        let slept = stamp.boot - last.boot - awake
        let wall = stamp.wall - last.wall
        let isSet = wall < 0 || abs(wall - (stamp.boot - last.boot)) > Self.tolerance + awake / 1000
        defer { last = stamp }
        guard isSet || slept > Self.tolerance else {
            current.until = max(current.until, stamp.wall.milliseconds)
            return []
        }
        let fallenAsleep = (last.wall + awake).milliseconds
        current.until = max(current.until, fallenAsleep)
        var ended = [current]
        if slept > Self.tolerance {
            let awoken = isSet ? (last.wall + awake + slept).milliseconds : stamp.wall.milliseconds
            ended.append(Stretch(kind: .suspended, since: current.until, until: max(current.until, awoken)))
        }
        current = Self.stretch(at: stamp)
        return ended
    }

    private static func stretch(at stamp: Stamp) -> Stretch {
        Stretch(kind: .watched, since: stamp.wall.milliseconds, until: stamp.wall.milliseconds)
    }
}
