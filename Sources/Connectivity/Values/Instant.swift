public import EventLoop

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
    /// Up to here two readings of the wall clock count as the same clock, in nanoseconds.
    private static let tolerance: UInt64 = 10_000_000

    /// The same moment, with the wall clock as it went at an event, as long as it has not been set since: then what has not
    /// changed since that event has the same time in both.
    func following(_ event: Event?) -> Instant {
        guard let event, monotonic.nanoseconds >= event.monotonic else { return self }
        let expected = event.timeNanoseconds &+ (monotonic.nanoseconds - event.monotonic)
        guard max(wall, expected) - min(wall, expected) < Self.tolerance else { return self }
        return Instant(monotonic: monotonic, wall: expected)
    }
}
