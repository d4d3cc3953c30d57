internal import EventLoop

/// What a lane knows from the host's own connections.
struct LaneTraffic: Sendable {
    /// When anything last came in over it.
    private(set) var heard: MonotonicTime?
    /// Since when nothing comes back any more, while no probe has told whether the way is dead.
    private(set) var suspectSince: MonotonicTime?
    /// Whether something came in while its references were asked in vain: then it is they who are gone.
    var isCarrying = false
    /// The latest that stood in for a probe's answer.
    private(set) var confirmedAt: MonotonicTime?
    /// Suspicions in a row that a probe has refuted, and when the last one was.
    private var refuted = 0
    private var refutedAt: MonotonicTime?

    mutating func note(_ evidence: TrafficEvidence) {
        heard = evidence.heard ?? heard
        if evidence.stalledSince != nil { isCarrying = false }
    }

    /// Takes a stall for a suspicion, unless probes have answered it: one that began before, or too soon after the last
    /// ones that came to nothing.
    ///
    /// - Parameter pause: How long one waits after a first suspicion that was refuted; it doubles with each further one.
    mutating func suspect(since: MonotonicTime, pause: Duration, limit: Duration, at now: MonotonicTime) -> Bool {
        guard suspectSince == nil else { return false }
        if let refutedAt {
            let wait = min(pause * (1 << min(refuted - 1, 20)), limit)
            guard since > refutedAt, refutedAt.advanced(by: wait) <= now else { return false }
            if refutedAt.advanced(by: limit * 2) <= now { refuted = 0 }
        }
        suspectSince = since
        return true
    }

    /// Somebody has answered a probe: whatever was suspected, the way is there.
    mutating func refute(at time: MonotonicTime) {
        guard suspectSince != nil else { return }
        suspectSince = nil
        refuted += 1
        refutedAt = time
    }

    /// Nobody answers: what was suspected is known.
    mutating func confirm() {
        suspectSince = nil
        isCarrying = false
        refuted = 0
        refutedAt = nil
    }

    /// Takes what came in for another probe's answer.
    mutating func vouch() {
        confirmedAt = heard
    }
}
