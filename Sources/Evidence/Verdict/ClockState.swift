internal import EventLoop

/// This host's clock, as long as it is taken to be wrong.
struct ClockState: Sendable {
    private(set) var since: MonotonicTime?
    /// When a certificate was last found out of its time.
    private var metAt: MonotonicTime?

    var isWrong: Bool { since != nil }

    mutating func enter(at now: MonotonicTime) { (since, metAt) = (now, now) }
    mutating func leave() { since = nil }

    /// Notes a certificate that is out of its time, though others are, too.
    mutating func meet(at now: MonotonicTime) { metAt = now }

    /// Whether no certificate was seen for so long that nothing is known of it: all that show one may be down.
    func isLost(after patience: Duration, at now: MonotonicTime) -> Bool {
        isWrong && metAt.map { $0 + patience <= now } ?? false
    }
}
