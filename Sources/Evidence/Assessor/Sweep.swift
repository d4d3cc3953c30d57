internal import EventLoop

/// How far a look at all targets has come that are not known: references first, a few at a time.
struct Sweep: Sendable {
    /// The step that comes next; nil where there is none.
    private(set) var next: Int?
    private var due: MonotonicTime?
    private var count = 0

    var isDue: Bool { due != nil }

    mutating func begin(at now: MonotonicTime) {
        (next, due, count) = (0, now, 0)
    }

    /// - Returns: Whether it goes on now.
    mutating func resume(at now: MonotonicTime) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        return true
    }

    /// Notes that a step was taken.
    ///
    /// - Returns: When the next one may be; nil for at once.
    mutating func take(_ step: Int, at now: MonotonicTime) -> MonotonicTime? {
        next = step + 1
        count += 1
        guard count >= Rules.sweepBurst else { return nil }
        due = now + Rules.sweepPause
        return due
    }

    mutating func end() { next = nil }
}
