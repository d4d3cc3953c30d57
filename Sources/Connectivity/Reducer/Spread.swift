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
    /// How many are meant to be due at one time, where there are many: the thread that wakes up for the first of them finds
    /// at hand what all the others need. Those with a TLS handshake are fewer, for each of the others waits for it.
    static let company = 20
    static let secureCompany = 10
    /// How far apart such times are at the most: a check waits up to half of that more or less than drawn.
    static let mostApart: Duration = .milliseconds(100)

    /// How many checks there are.
    let count: Int
    let interval: Duration
    var isSecure = false

    /// Whether there are so many that they have to be drawn apart.
    var isNeeded: Bool { count > Self.burst }

    private var pace: Duration { min(Self.pace, interval / max(count, 1)) }
    private var company: Int { isSecure ? Self.secureCompany : Self.company }

    /// How long a check waits for its first probe, with those next to it; the rank tells how many go before it.
    func firstWait(_ rank: Int) -> Duration {
        rank < Self.burst ? .zero : pace * (rank - rank % company)
    }

    /// How long it then waits for its second: no longer than the interval.
    func secondWait(_ rank: Int) -> Duration {
        pace * count + interval * (Double(rank) / Double(max(count, 1))) - pace * rank
    }

    /// The time closest to this one at which others are due, too, where there are many. Their waits are drawn by lot anyway.
    func meeting(near due: MonotonicTime) -> MonotonicTime {
        guard isNeeded else { return due }
        let apart = max(min(Self.mostApart, interval * company / count).nanoseconds, 1)
        // A recording may have any time.
        let (middle, isBeyond) = due.nanoseconds.addingReportingOverflow(apart / 2)
        return isBeyond ? due : MonotonicTime(nanoseconds: middle / apart * apart)
    }
}
