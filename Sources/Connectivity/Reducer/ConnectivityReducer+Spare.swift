internal import EventLoop
internal import Evidence
internal import Reachability

/// Which uplink works while the one that traffic leaves by does not. What was found on it before the loss may be an interval
/// old, and what killed the one may have killed the other: it has to have answered about when the other fell silent, or later.
extension ConnectivityReducer {
    /// How long before the loss an answer may have come and still prove a spare.
    private static let proofAge: Duration = .seconds(1)

    /// Has the other uplinks asked once the one that traffic leaves by is doubted.
    mutating func doubtSpares(at now: Instant, _ output: inout Output) {
        guard lanes.count > 1 else { return }
        let lost = lostSince
        guard let lost, traffic.doubtedAt != lost else {
            if lost == nil { traffic.doubtedAt = nil }
            return
        }
        traffic.doubtedAt = lost
        for lane in lanes.indices where !path.isActive(lanes[lane].key) && !isProven(lanes[lane], since: lost) {
            feed(.doubted, to: lane, at: now, &output)
        }
    }

    /// Since when nothing is heard over the ways that traffic leaves by; nil while something is.
    private var lostSince: MonotonicTime? {
        var first: MonotonicTime?
        // By their places: a copy of a lane costs more than all that is looked at.
        for lane in lanes.indices where carries(lane) {
            guard let since = lostSince(lane) else { return nil }
            first = min(first ?? since, since)
        }
        return first
    }

    /// Whether traffic leaves by a lane over which something is asked. Where no target may be asked in its family, or
    /// has an address of it, a lane is never known to be lost.
    private func carries(_ lane: Int) -> Bool {
        path.isActive(lanes[lane].key) && !lanes[lane].members.isEmpty && lanes[lane].assessor.isApplicable
    }

    private func lostSince(_ lane: Int) -> MonotonicTime? {
        lanes[lane].assessor.silentSince ?? (lanes[lane].judgement.status == .portal ? lanes[lane].since : nil)
    }

    /// The interface of the spare that was told, while that works, else of the one that was heard last; nil while
    /// traffic's own way works, or where no spare is known to.
    var spare: String? {
        guard lanes.count > 1, let lost = lostSince else { return nil }
        let isLost = lanes.indices.allSatisfy { lane in
            let status = lanes[lane].judgement.status
            return !carries(lane) || status == .local || status == .portal
        }
        guard isLost else { return nil }
        let fit = lanes.filter { lane in
            !path.isActive(lane.key) && lane.judgement.status == .full && isProven(lane, since: lost)
        }
        // Each answer over another one would send everybody there, and back with the next.
        if let last = told?.spare, fit.contains(where: { $0.key.interface == last }) { return last }
        return fit.max { ($0.assessor.heardAt ?? lost) < ($1.assessor.heardAt ?? lost) }?.key.interface
    }

    private func isProven(_ lane: Lane, since time: MonotonicTime) -> Bool {
        guard lane.assessor.silentSince == nil, let heard = lane.assessor.heardAt else { return false }
        return heard.advanced(by: Self.proofAge) >= time
    }
}
