internal import EventLoop
internal import Reachability

/// Which uplink works while the one that traffic leaves by does not. What was found on it before the loss may be an interval
/// old, and what killed the one may have killed the other: it has to have answered about when the other fell silent, or later.
extension ConnectivityReducer {
    /// How long before the loss an answer may have come and still prove a spare.
    static let proofAge: Duration = .seconds(1)

    /// Has those asked over the other uplinks who can tell whether they are well, where the last answer is too old.
    mutating func proveSpares(of lane: Int, at now: Instant) {
        guard lanes.count > 1, path.isActive(lanes[lane].key), let lost = lanes[lane].lostSince else { return }
        for spare in lanes.indices where isSpare(spare) && !isProven(spare, since: lost) {
            summonWitnesses(of: spare, at: now)
        }
    }

    /// The interface of the spare that was heard last; nil while traffic's own way works, or where no spare is known to.
    var spare: String? {
        guard lanes.count > 1 else { return nil }
        let active = lanes.filter { path.isActive($0.key) }
        guard !active.isEmpty, active.allSatisfy(\.isLost) else { return nil }
        let lost = active.compactMap(\.lostSince).min() ?? MonotonicTime(nanoseconds: 0)
        return lanes.indices
            .filter { isSpare($0) && lanes[$0].judgement.status == .full && isProven($0, since: lost) }
            .max { (lanes[$0].heard?.time ?? lost) < (lanes[$1].heard?.time ?? lost) }
            .flatMap { lanes[$0].key.interface }
    }

    private func isSpare(_ lane: Int) -> Bool {
        !path.isActive(lanes[lane].key) && !lanes[lane].isDead
    }

    private func isProven(_ lane: Int, since lost: MonotonicTime) -> Bool {
        guard !lanes[lane].isDoubted, let heard = lanes[lane].heard else { return false }
        return heard.time.advanced(by: Self.proofAge) >= lost
    }
}
