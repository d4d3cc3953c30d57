internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// Brings each lane's judgement up to date.
    mutating func judgeLanes(at now: Instant) {
        for index in lanes.indices {
            let old = lanes[index].judgement.status
            let isCaptive = hasCaptivePortal(index)
            if isCaptive != lanes[index].isCaptive { news.wholeLanes.insert(index) }
            lanes[index].isCaptive = isCaptive
            lanes[index].judgement = judgement(of: lanes[index])
            lanes[index].judged = lanes[index].assessor.verdict
            if lanes[index].stalledSince != nil, lanes[index].assessor.suspectSince == nil {
                lanes[index].stalledSince = nil
                lanes[index].stalls.refute(
                    at: now.monotonic, pause: configuration.retryDelay, limit: configuration.interval)
            }
            if lanes[index].judgement.status != old { lanes[index].since = now.monotonic }
        }
    }

    func judgement(of lane: Lane) -> Judgement {
        if lane.isCaptive { return Judgement(.portal, .portal, .uplink) }
        guard let verdict = lane.assessor.verdict, !lane.members.isEmpty else { return Judgement(.unknown) }
        // The uplink may be well: that it cannot be asked is this host's own doing.
        if verdict.status == .local, lane.reasons.only == .reversePathFilter {
            return Judgement(.unknown, .reversePathFilter, .host)
        }
        var new = Judgement(
            ConnectivityStatus(verdict.status), reason(for: verdict, lane), verdict.culprit.map { .init($0) })
        if new.reason == .interfaceUnusable { new.blame = .path }
        if verdict == lane.judged, isSame(new, as: lane.judgement) { new.reason = lane.judgement.reason }
        return new
    }

    /// Whether a judgement is one that was told already, if perhaps in another word: no target is otherwise than it was, and
    /// what a failure was called last is no news. It is where a word has come and there was only silence.
    private func isSame(_ new: Judgement, as old: Judgement) -> Bool {
        let isOfTargets = !news.targets.isEmpty || !news.results.isEmpty || !news.wholeLanes.isEmpty
        guard new.status == old.status, new.blame == old.blame, !isOfTargets else { return false }
        return new.status != .local || new.reason?.isWord != true || old.reason?.isWord == true
    }

    /// The word for a verdict: that of the results where they say it in more detail.
    private func reason(for verdict: Verdict, _ lane: Lane) -> ConnectivityReason? {
        switch (verdict.status, verdict.reason) {
        case (.full, .traffic?): .endpointsUnreachable
        case (.full, _), (_, nil): nil
        case (.local, .silent?): lane.reasons.commonSilence ?? .connectTimeout
        // Where it is a target's fault, its name may not be found by now for another reason.
        case (_, .targetsFailed?):
            lane.reasons.only.flatMap { reasonOfTargets($0, verdict.culprit) } ?? .targetsFailed
        case (_, .unsent?): lane.reasons.commonOwn ?? .overloaded
        case (_, .familyFailed?): lane.assessor.deadFamily == .ipv4 ? .ipv4Failed : .ipv6Failed
        case (_, let reason?): ConnectivityReason(reason)
        }
    }

    /// The word for what all have failed for that are down; nil where it is none for whose fault that is.
    private func reasonOfTargets(_ reason: ConnectivityReason, _ culprit: Culprit?) -> ConnectivityReason? {
        guard culprit == .target else { return reason }
        // There is no portal where others come as themselves.
        return reason == .portal ? .unexpectedStatus : reason.isOfNames ? nil : reason
    }

    /// What path and lanes say together.
    var joinedJudgement: Judgement {
        switch path.status {
        case .unknown: Judgement(.unknown)
        case .none: Judgement(.none, .noPath, .path)
        case .ethernet, .wifi, .wwan, .other:
            configuration.watched.isEmpty ? Judgement(.unknown, .probesDisabled) : joined
        }
    }

    private var joined: Judgement {
        let relevant = lanes.filter {
            !$0.members.isEmpty && $0.assessor.isApplicable
                && (configuration.uplinkPolicy != .active || path.isActive($0.key))
        }
        let told = relevant.filter { $0.judgement.status != .unknown }
        guard !told.isEmpty else { return relevant.first?.judgement ?? Judgement(.unknown) }
        let isAny = configuration.uplinkPolicy == .any
        let isDecided = isAny && told.contains { $0.judgement.status == .full }
        // A lane that is not known yet could still turn it.
        if !isDecided, told.count < relevant.count {
            guard judgement.status.rank > ConnectivityStatus.none.rank else { return Judgement(.unknown) }
        }
        guard isAny else { return Judgement(joining: told, path) }
        return told.map(\.judgement).max { $0.status.rank < $1.status.rank } ?? judgement
    }
}

extension Judgement {
    /// The judgement of several lanes that must all be well.
    fileprivate init(joining lanes: [Lane], _ path: Path) {
        let statuses = lanes.map(\.judgement.status)
        guard let worst = lanes.map(\.judgement).min(by: { $0.status.rank < $1.status.rank }) else {
            self.init(.unknown)
            return
        }
        if worst.status == .full || lanes.count == 1 {
            self = worst
        } else if !statuses.contains(.full) {
            self =
                statuses.contains(.portal)
                ? Judgement(.portal, .portal, .uplink)
                : statuses.contains(.limited) ? Judgement(.limited, worst.reason, worst.blame) : worst
        } else {
            self.init(.limited, Self.leg(lanes, path) ?? Self.family(lanes) ?? worst.reason, worst.blame)
        }
    }

    /// Where some legs of a multipath route work and the others do not, and nothing else is wrong, that is the reason.
    private static func leg(_ lanes: [Lane], _ path: Path) -> ConnectivityReason? {
        let bad = lanes.filter { $0.judgement.status != .full }.map(\.key)
        let good = lanes.filter { $0.judgement.status == .full }.map(\.key)
        let isLeg = bad.allSatisfy { key in
            path.isLeg(key) && good.contains { $0.family == key.family && path.isLeg($0) }
        }
        return isLeg ? .legFailed : nil
    }

    /// Where one family works over every lane and the other over none, that is the reason.
    private static func family(_ lanes: [Lane]) -> ConnectivityReason? {
        let bad = Set(lanes.filter { $0.judgement.status != .full }.compactMap(\.key.family))
        let good = Set(lanes.filter { $0.judgement.status == .full }.compactMap(\.key.family))
        guard bad.count == 1, good.isDisjoint(with: bad) else { return nil }
        return bad.contains(.ipv4) ? .ipv4Failed : .ipv6Failed
    }
}

/// Flapping that is held down.
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
