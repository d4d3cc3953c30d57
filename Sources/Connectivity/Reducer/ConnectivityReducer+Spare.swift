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
        for lane in lanes.indices where path.isActive(lanes[lane].key) && !lanes[lane].members.isEmpty {
            guard let since = lostSince(lane) else { return nil }
            first = min(first ?? since, since)
        }
        return first
    }

    private func lostSince(_ lane: Int) -> MonotonicTime? {
        lanes[lane].assessor.silentSince ?? (lanes[lane].judgement.status == .portal ? lanes[lane].since : nil)
    }

    /// The interface of the spare that was heard last; nil while traffic's own way works, or where no spare is known to.
    var spare: String? {
        guard lanes.count > 1, let lost = lostSince else { return nil }
        let active = lanes.filter { path.isActive($0.key) }
        guard active.allSatisfy({ $0.judgement.status == .local || $0.judgement.status == .portal }) else { return nil }
        return lanes.filter { lane in
            !path.isActive(lane.key) && lane.judgement.status == .full && isProven(lane, since: lost)
        }
        .max { ($0.assessor.heardAt ?? lost) < ($1.assessor.heardAt ?? lost) }?.key.interface
    }

    private func isProven(_ lane: Lane, since time: MonotonicTime) -> Bool {
        guard lane.assessor.silentSince == nil, let heard = lane.assessor.heardAt else { return false }
        return heard.advanced(by: Self.proofAge) >= time
    }
}
