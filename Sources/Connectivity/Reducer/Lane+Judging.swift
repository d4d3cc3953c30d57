internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

internal import enum RequestEngine.Phase

/// What a lane's evidence comes to.
extension Lane {
    /// Whether it is thought to work, so that there is something to lose.
    var isWatchable: Bool { !isCaptive && (judgement.status == .full || judgement.status == .limited) }

    /// The judgement by what is known now.
    ///
    /// - Parameter isOfTargets: Whether any target may be otherwise than was told.
    func newJudgement(isOfTargets: Bool) -> Judgement {
        if isCaptive { return Judgement(.portal, .portal, .uplink) }
        guard let verdict = assessor.verdict, !members.isEmpty else { return Judgement(.unknown) }
        // The uplink may be well: that it cannot be asked is this host's own doing.
        if verdict.status == .local, record.reasons.only == .reversePathFilter {
            return Judgement(.unknown, .reversePathFilter, .host)
        }
        var new = Judgement(
            ConnectivityStatus(verdict.status), reason(for: verdict), verdict.culprit.map { .init($0) })
        if new.reason == .interfaceUnusable { new.blame = .path }
        if verdict == judged, !isOfTargets, isToldAlready(new) { new.reason = judgement.reason }
        return new
    }

    /// Whether a judgement is one that was told already, if perhaps in another word: what a failure was called last is no
    /// news. It is where a word has come and there was only silence.
    private func isToldAlready(_ new: Judgement) -> Bool {
        guard new.status == judgement.status, new.blame == judgement.blame else { return false }
        return new.status != .local || new.reason?.isWord != true || judgement.reason?.isWord == true
    }

    /// The word for a verdict: that of the results where they say it in more detail.
    private func reason(for verdict: Verdict) -> ConnectivityReason? {
        switch (verdict.status, verdict.reason) {
        case (.full, .traffic?): .endpointsUnreachable
        case (.full, _), (_, nil): nil
        case (.local, .silent?): record.reasons.commonSilence ?? .connectTimeout
        // Where it is a target's fault, its name may not be found by now for another reason.
        case (_, .targetsFailed?):
            record.reasons.only.flatMap { Self.reasonOfTargets($0, verdict.culprit) } ?? .targetsFailed
        case (_, .unsent?): record.reasons.commonOwn ?? .overloaded
        case (_, .familyFailed?): assessor.deadFamily == .ipv4 ? .ipv4Failed : .ipv6Failed
        case (_, let reason?): ConnectivityReason(reason)
        }
    }

    /// The word for what all have failed for that are down; nil where it is none for whose fault that is.
    private static func reasonOfTargets(_ reason: ConnectivityReason, _ culprit: Culprit?) -> ConnectivityReason? {
        guard culprit == .target else { return reason }
        // There is no portal where others come as themselves.
        return reason == .portal ? .unexpectedStatus : reason.isOfNames ? nil : reason
    }

    // MARK: What an answer says

    /// What a report says to the assessor; nil for the end of a target's probe.
    func input(for report: ProbeReport, of ask: Ask.ID, over watched: WatchedPath) -> Assessor.Input? {
        switch report {
        case .sent(_, let host): .sent(ask, host)
        case .heard(_, let address, let after): .heard(ask, address, after: after)
        case .missed(_, let address, let miss): .missed(ask, address, miss)
        case .answered(_, let answer): .ended(ask, credible(answer, to: ask, watched))
        case .ended: nil
        }
    }

    /// A private address for a name that is public was made up on the way, and one that means no host by a list of what is
    /// blocked.
    private func credible(_ answer: Answer, to ask: Ask.ID, _ watched: WatchedPath) -> Answer {
        guard case .addresses(let addresses, _) = answer else { return answer }
        if !addresses.isEmpty, addresses.allSatisfy(\.isUnspecified) { return .noAddress(.nameHijacked) }
        guard addresses.contains(where: \.isPrivate) else { return answer }
        let isPublic = assessor.targets(ofName: ask).contains {
            $0 < members.count && watched.configuration.targets[members[$0]].isPublic
        }
        return isPublic ? .noAddress(.nameHijacked) : answer
    }

    /// Whether the kernel had no way for what was asked, which is the path's fault: a reject route of whatever kind leads
    /// there, or none. A reference of a family without a way out is one of many.
    func hasNoRoute(_ result: ProbeResult, of target: Target, _ ask: Ask.ID) -> Bool {
        // A name server that was asked for records, and could not be reached.
        let isServer =
            result.reason == .nameServerFailed && result.failedPhase == .resolve && result.remoteAddress != nil
        guard result.outcome == .failure, result.reason == .unreachable || isServer else { return false }
        guard !assessor.hasSent(ask) else { return false }
        let family: AddressFamily = result.family == .ipv6 ? .ipv6 : .ipv4
        let hasWayOut = network.ways.contains { $0.reachesAll && $0.way.family == family }
        return hasWayOut || (key == .route && target.role == .target)
    }

    /// The way that connections leave by.
    func way(of evidence: TrafficEvidence) -> Way? {
        network.ways.first {
            $0.reachesAll && $0.way.interface == evidence.interface && $0.way.family == evidence.family
        }?.way
    }
}
