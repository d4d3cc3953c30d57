internal import EventLoop

/// Looks of the references that the host's own connections stand in for.
extension ConnectivityReducer {
    /// For how many intervals traffic may stand in for probes: then they are sent once, whatever it says.
    static let mostIntervalsPutOff = 10

    /// What becomes of a check that is due.
    enum Due {
        case start
        /// The connections have to be looked at before.
        case hold
        /// They say that it need not be asked.
        case putOff
    }

    /// Decides it for the first entry of the agenda.
    mutating func decide(_ entry: Agenda.Entry, at now: Instant) -> Due {
        guard configuration.traffic != nil, isRecheck(entry) else { return .start }
        guard isSampled(since: entry.due) else {
            // Somebody who does not look at connections is not waited for twice.
            guard traffic.heldFor != entry.due else { return .start }
            traffic.heldFor = entry.due
            return .hold
        }
        let lane = checks[entry.check].lane
        guard let heard = lanes[lane].traffic.heard, mayPutOff(entry.check, at: now.monotonic)
        else { return .start }
        let due = heard.advanced(by: nextWait(entry.check))
        guard due > now.monotonic else { return .start }
        lanes[lane].traffic.vouch()
        planRecheck(entry.check, at: due)
        return .putOff
    }

    /// Not where anything speaks against it, and not for ever.
    private func mayPutOff(_ index: Int, at now: MonotonicTime) -> Bool {
        let lane = lanes[checks[index].lane]
        let references = [lane.tally[.plainReferences], lane.tally[.secureReferences]]
        guard lane.suspectSince == nil, lane.suspects == 0, references.allSatisfy({ $0[.up] == $0.total }),
            let last = checks[index].result?.endMonotonic
        else { return false }
        let longest = interval(of: index) * Self.mostIntervalsPutOff
        return last.advanced(by: longest) > now
    }

    /// Whether an entry is a reference's next look while all is well, and nobody has asked for it sooner.
    func isRecheck(_ entry: Agenda.Entry) -> Bool {
        let check = checks[entry.check]
        return check.due == entry.due && check.recheckDue == entry.due && check.target.role == .reference
            && check.standing == .up && check.failures == 0 && lanes[check.lane].judgement == Judgement(.full)
    }
}
