internal import EventLoop

/// The host's own connections as a witness, where nobody who is asked answers.
extension ConnectivityReducer {
    /// Notes, when a check has failed, whether anything came in meanwhile.
    mutating func weigh(_ result: ProbeResult, of lane: Int) {
        guard configuration.traffic != nil, result.outcome == .failure else { return }
        let start = MonotonicTime(
            nanoseconds: result.endMonotonic.nanoseconds
                - min(result.durationNanoseconds, result.endMonotonic.nanoseconds))
        lanes[lane].traffic.isCarrying =
            lanes[lane].isWatchable && lanes[lane].suspectSince == nil
            && lanes[lane].traffic.heard.map { $0 > start } ?? false
    }

    /// Nobody who is asked answers, and others are heard: those who are asked are down, and the way is there.
    mutating func hearTraffic(of lane: Int) {
        guard let heard = lanes[lane].traffic.heard else { return }
        lanes[lane].hear(Lane.Heard.traffic, at: heard)
        for index in lanes[lane].checkRange where checks[index].isSuspect {
            guard let since = checks[index].failingSince, since < heard else { continue }
            update(index) { $0.confirm() }
        }
    }

    /// The judgement of a lane's checks, without the references where traffic shows that they are gone and not the way.
    func upheld(_ judged: Judgement, of lane: Lane) -> Judgement {
        guard lane.traffic.isCarrying, lane.isWatchable, judged.status != .full else { return judged }
        let references = [lane.tally[.plainReferences], lane.tally[.secureReferences]]
        // While some answer they are listened to, and what answers wrongly may be a portal.
        guard references.allSatisfy({ $0.answered == 0 }) else { return judged }
        let hasReferences = references.contains { $0[.down] + $0[.refused] > 0 }
        switch GroupVerdict(targets: lane.tally[.targets], policy: configuration.policy) {
        case .empty where hasReferences, .good where hasReferences: return lane.upheld
        case .bad: return Judgement(.limited, .targetsFailed)
        case .open: return lane.judgement
        case .empty, .good, .portal: return judged
        }
    }
}

extension Lane {
    /// What it was before its references went: full, as far as probes had said so.
    fileprivate var upheld: Judgement {
        let wasFull = judgement.status == .full || judgement.reason == .targetsFailed
        return wasFull ? Judgement(.full, .endpointsUnreachable) : judgement
    }
}
