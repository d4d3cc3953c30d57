internal import EventLoop
internal import Reachability

extension ConnectivityReducer {
    /// The judgement that is told: the one observed, or the worse one before it while flapping is held down.
    mutating func damped(_ new: Judgement, at now: Instant) -> Judgement {
        let isFall = new.status != .unknown && new.status.rank < observed.status.rank
        observed = new
        guard configuration.damping != nil else { return new }
        damping.decay(to: now.monotonic)
        if isFall { damping.fall(at: now.monotonic) }
        // Without a path there is nothing to hold back, and with one `none` would be a lie.
        guard damping.isSuppressed, path.status.isReachable, new.status.rank > judgement.status.rank else { return new }
        return judgement.status == .none ? Judgement(.unknown) : judgement
    }

    /// The time has come to tell what was held back.
    func endDamping(at now: Instant) -> Origin? {
        guard damping.isSuppressed, let release = damping.release(), release <= now.monotonic else { return nil }
        return Origin(
            .cause(Cause(kind: .probe, description: "the state has been steady for a while")), time: now.monotonic)
    }
}
