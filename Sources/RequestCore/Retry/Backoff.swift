/// How long to wait before the next attempt: longer each time, and never the same for two clients.
public struct Backoff: Hashable, Sendable {
    /// The longest wait before the second attempt.
    public var base: Duration
    /// By how much it grows with each attempt.
    public var factor: Double
    /// The longest wait at all.
    public var maximum: Duration
    /// The part of the wait that chance decides, from 0 (none) to 1 (all of it).
    public var jitter: Double

    public init(
        base: Duration = .milliseconds(500), factor: Double = 2, maximum: Duration = .seconds(30), jitter: Double = 0.5
    ) {
        self.base = base
        self.factor = factor
        self.maximum = maximum
        self.jitter = jitter
    }

    /// The wait after a number of attempts, with a number from 0 to 1 for the chance.
    public func delay(after count: Int, chance: Double = .random(in: 0...1)) -> Duration {
        var delay = base
        for _ in 1..<max(count, 1) where delay < maximum { delay = delay * factor }
        return min(delay, maximum) * (1 - jitter * chance)
    }
}
