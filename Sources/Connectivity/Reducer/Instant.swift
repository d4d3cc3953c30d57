public import EventLoop
internal import Glibc

/// A point in time on both clocks, as the shell reads them for the reducer.
public struct Instant: Hashable, Sendable, Codable {
    /// On the monotonic clock.
    public var monotonic: MonotonicTime
    /// Nanoseconds since 1970-01-01 UTC.
    public var wall: UInt64

    public init(monotonic: MonotonicTime, wall: UInt64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}

extension Instant {
    /// Both clocks now.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(monotonic: .now, wall: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }
}
