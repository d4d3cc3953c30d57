public import EventLoop

/// Tells how many bytes may be sent now. It knows no clock and never waits: who sends gives the time, and comes back.
public struct TokenBucket: Sendable {
    private let throttle: Throttle
    private var tokens: Double
    private var time: MonotonicTime

    /// A full bucket.
    public init(_ throttle: Throttle, at time: MonotonicTime) {
        self.throttle = throttle
        self.time = time
        tokens = Double(throttle.burst)
    }

    /// Takes as many bytes as may be sent, up to what is wanted; 0 means to come back after `delay`.
    public mutating func take(_ wanted: Int, at now: MonotonicTime) -> Int {
        refill(at: now)
        let taken = max(0, min(wanted, Int(tokens)))
        tokens -= Double(taken)
        return taken
    }

    /// How long until this many bytes may be sent, as of the last time given.
    public func delay(until count: Int) -> Duration {
        let missing = Double(min(count, throttle.burst)) - tokens
        return .seconds(max(0, missing) / Double(throttle.bytesPerSecond))
    }

    private mutating func refill(at now: MonotonicTime) {
        let elapsed = time.duration(to: now)
        guard elapsed > .zero else { return }
        tokens = min(Double(throttle.burst), tokens + elapsed / .seconds(1) * Double(throttle.bytesPerSecond))
        time = now
    }
}
