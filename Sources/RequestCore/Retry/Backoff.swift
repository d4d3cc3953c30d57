internal import Glibc

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
        guard base > .zero, maximum > .zero else { return .zero }
        let times = pow(max(0, factor), Double(max(count, 1) - 1))
        // A duration that is far beyond the maximum could perhaps not be made at all.
        let delay = times < maximum / base ? base * times : maximum
        return delay * (1 - min(1, max(0, jitter * chance)))
    }
}
