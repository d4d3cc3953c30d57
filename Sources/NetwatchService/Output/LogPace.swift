import EventLoop

/// How fast events may come into a log: some at once, then one a second. What comes faster is counted.
struct LogPace: Hashable, Sendable {
    private static let burst = 30
    private static let refill = Duration.seconds(1)

    private var left = LogPace.burst
    private var since: MonotonicTime?
    /// How many were left out since the last that was not.
    private(set) var leftOut = 0

    /// Whether another one may go in now; one that may not is counted.
    mutating func allows(at now: MonotonicTime) -> Bool {
        gain(now)
        guard left > 0 else {
            leftOut += 1
            return false
        }
        left -= 1
        return true
    }

    /// Takes the number out that were left out.
    mutating func takeLeftOut() -> Int {
        exchange(&leftOut, with: 0)
    }

    private mutating func gain(_ now: MonotonicTime) {
        guard let begin = since, left < Self.burst else {
            since = now
            return
        }
        let gained = Int(begin.duration(to: now) / Self.refill)
        guard gained > 0 else { return }
        left = min(Self.burst, left + gained)
        since = begin.advanced(by: Self.refill * gained)
    }
}
