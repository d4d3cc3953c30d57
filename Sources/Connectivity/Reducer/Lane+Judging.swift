internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

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

    // MARK: As a spare

    /// How long before the loss an answer may have come and still prove a spare.
    private static let proofAge: Duration = .seconds(1)

    /// Whether it has answered about when another fell silent, or later.
    func isProven(since time: MonotonicTime) -> Bool {
        guard assessor.silentSince == nil, let heard = assessor.heardAt else { return false }
        return heard.advanced(by: Self.proofAge) >= time
    }
}
