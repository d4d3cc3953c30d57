public import EventLoop

/// A point in time on both clocks, as the shell reads them for the reducer.
public struct Instant: Hashable, Sendable, Codable {
    public var monotonic: MonotonicTime
    /// Nanoseconds since 1970-01-01 UTC.
    public var wall: UInt64

    public init(monotonic: MonotonicTime, wall: UInt64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
