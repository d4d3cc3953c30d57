internal import EventLoop

/// The verdict that is told: the one observed, or the worse one before it while flapping is held down.
struct DampedVerdict: Sendable {
    private(set) var told = Judgement(.unknown)
    /// The judgement before damping.
    private(set) var observed = Judgement(.unknown)
    /// Since when what is told has had its status.
    private(set) var since: MonotonicTime?
    /// Nil where every change is told.
    private var damping: FlapDamping?

    init(_ configuration: FlapDamping.Configuration?) { damping = configuration.map { FlapDamping($0) } }

    /// Forgets how often it has changed.
    mutating func restart(_ configuration: FlapDamping.Configuration?) {
        damping = configuration.map { FlapDamping($0) }
    }

    /// Takes in what path and lanes say together; returns whether another status is told now.
    mutating func take(_ new: Judgement, isReachable: Bool, at now: MonotonicTime) -> Bool {
        let old = told.status
        told = damped(new, isReachable: isReachable, at: now)
        if told.status != old { since = now }
        return told.status != old
    }

    private mutating func damped(_ new: Judgement, isReachable: Bool, at now: MonotonicTime) -> Judgement {
        let isFall = new.status != .unknown && new.status.rank < observed.status.rank
        observed = new
        damping?.decay(to: now)
        if isFall { damping?.fall(at: now) }
        // Without a path there is nothing to hold back, and with one `none` would be a lie.
        guard damping?.isSuppressed == true, isReachable, new.status.rank > told.status.rank else { return new }
        return told.status == .none ? Judgement(.unknown) : told
    }

    /// When what is held back is to be told; nil where nothing is.
    var release: MonotonicTime? { damping?.release() }

    /// Whether the time has come for that.
    func isReleased(at now: MonotonicTime) -> Bool {
        damping?.isSuppressed == true && release.map { $0 <= now } ?? false
    }
}
