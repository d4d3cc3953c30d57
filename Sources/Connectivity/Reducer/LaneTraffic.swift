internal import EventLoop

/// What the host's own connections over a lane say.
struct LaneTraffic: Sendable {
    /// When they were heard last.
    private(set) var heard: MonotonicTime?
    /// Since when they wait in vain, while that is neither refuted nor confirmed.
    private(set) var stalledSince: MonotonicTime?
    private var refusals = Refusals()

    /// Goes on with what was known before the lane had other targets.
    init(from old: LaneTraffic) { (heard, stalledSince) = (old.heard, old.stalledSince) }

    init() {}

    mutating func note(heard time: MonotonicTime) { heard = max(heard ?? time, time) }

    mutating func note(stalledSince since: MonotonicTime) { stalledSince = since }

    /// Whether a stall is to be believed.
    func isCredible(stalledSince since: MonotonicTime, at now: MonotonicTime) -> Bool {
        refusals.permit(since: since, at: now)
    }

    /// Notes that nothing is suspected any more: something was heard after all.
    mutating func refute(at now: MonotonicTime, pause: Duration, limit: Duration) {
        guard stalledSince != nil else { return }
        stalledSince = nil
        refusals.add(at: now, pause: pause, limit: limit)
    }
}

/// Suspicions that came to nothing, each of which has the next one wait longer.
private struct Refusals: Sendable {
    private var count = 0
    private var last: MonotonicTime?
    private var wait = Duration.zero

    mutating func add(at now: MonotonicTime, pause: Duration, limit: Duration) {
        if let last, last.advanced(by: limit * 2) <= now { count = 0 }
        wait = min(pause * (1 << min(count, 20)), limit)
        (count, last) = (count + 1, now)
    }

    /// Whether a stall began after the last that came to nothing, and not too soon after it.
    func permit(since: MonotonicTime, at now: MonotonicTime) -> Bool {
        guard let last else { return true }
        return since > last && last.advanced(by: wait) <= now
    }
}
