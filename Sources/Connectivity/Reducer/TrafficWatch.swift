internal import EventLoop

/// When the host's own connections are looked at. What they say spares probes, makes an uplink suspect, and proves that it
/// carries; a verdict never becomes better by it, because a portal also answers to TCP.
struct TrafficWatch: Sendable {
    /// When what was seen was seen.
    private var sampledAt: MonotonicTime?
    /// When it was last the time to look, whether a look was taken or not.
    private var turnedAt: MonotonicTime?

    /// How often connections are looked at for the sake of probes that fail, where many do, and of what falls due.
    private static let (pauseOfFailures, pauseOfTurns) = (Duration.milliseconds(100), Duration.seconds(1))

    /// Whether to look before this input is taken in.
    func isDue(before input: ConnectivityReducer.Input, at now: MonotonicTime) -> Bool {
        switch input {
        case .ended(_, let result) where result.outcome == .failure:
            !isSampled(within: Self.pauseOfFailures, at: now)
        case .timer: !isSampled(within: Self.pauseOfTurns, at: now)
        default: false
        }
    }

    private func isSampled(within time: Duration, at now: MonotonicTime) -> Bool {
        sampledAt.map { $0.advanced(by: time) > now } ?? false
    }

    /// When to look the next time at such intervals.
    func due(each interval: Duration) -> MonotonicTime {
        turnedAt?.advanced(by: interval) ?? MonotonicTime(nanoseconds: 0)
    }

    /// The time to look has passed, whether a look was taken or not: it does not come at once again.
    mutating func turn(at now: MonotonicTime) { turnedAt = now }

    /// A look was taken.
    mutating func sample(at now: MonotonicTime) { (sampledAt, turnedAt) = (now, now) }
}
