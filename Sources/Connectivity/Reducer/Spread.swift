internal import EventLoop

/// How checks that are all due now are drawn apart, so that thousands do not fire together.
///
/// The first few are probed at once. The others follow at a pace that nobody feels, or over the interval where that is
/// shorter; their second probes are drawn apart over the whole interval, and so are all that come after.
struct Spread: Hashable, Sendable {
    /// How many are probed at once.
    static let burst = 64
    /// How close behind each other the rest follow, at the most.
    static let pace: Duration = .milliseconds(1)
    /// How far a wake-up may be put off to serve several checks, where there are many.
    static let grain: UInt64 = 10_000_000

    /// How many checks there are.
    let count: Int
    let interval: Duration

    /// Whether there are so many that they have to be drawn apart.
    var isNeeded: Bool { count > Self.burst }

    private var pace: Duration { min(Self.pace, interval / max(count, 1)) }

    /// How long a check waits for its first probe; the rank tells how many go before it.
    func firstWait(_ rank: Int) -> Duration {
        rank < Self.burst ? .zero : pace * rank
    }

    /// How long it then waits for its second: no longer than the interval.
    func secondWait(_ rank: Int) -> Duration {
        pace * count + interval * (Double(rank) / Double(max(count, 1))) - pace * rank
    }

    /// A wake-up for something due then, put off to the next grain where there are many.
    func wake(for due: MonotonicTime) -> MonotonicTime {
        guard isNeeded else { return due }
        let (grains, rest) = due.nanoseconds.quotientAndRemainder(dividingBy: Self.grain)
        return MonotonicTime(nanoseconds: rest == 0 ? due.nanoseconds : (grains + 1) &* Self.grain)
    }
}
