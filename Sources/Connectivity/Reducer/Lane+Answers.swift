internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

internal import enum RequestEngine.Phase

/// What an answer says, to the assessor and to those who are told.
extension Lane {
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
    private func hasNoRoute(_ result: ProbeResult, of target: Target, _ ask: Ask.ID) -> Bool {
        // A name server that was asked for records, and could not be reached.
        let isServer =
            result.reason == .nameServerFailed && result.failedPhase == .resolve && result.remoteAddress != nil
        guard result.outcome == .failure, result.reason == .unreachable || isServer else { return false }
        guard !assessor.hasSent(ask) else { return false }
        let family: AddressFamily = result.family == .ipv6 ? .ipv6 : .ipv4
        let hasWayOut = network.ways.contains { $0.reachesAll && $0.way.family == family }
        return hasWayOut || (key == .route && target.role == .target)
    }

    /// A result as it is told: the kernel's having had no way for it is another reason.
    func worded(_ result: ProbeResult, of target: Target, _ ask: Ask.ID) -> ProbeResult {
        guard hasNoRoute(result, of: target, ask) else { return result }
        var result = result
        result.reason = .noRoute
        result.failure = result.failure.map { "no route leads there: \($0)" }
        return result
    }

    /// A probe that came to nothing because its target's name was not found.
    static func unresolved(
        _ target: String, _ reason: Reason, after duration: Duration, at time: MonotonicTime
    ) -> ProbeResult {
        var result = ProbeResult(target: target, outcome: .failure, duration: duration.nanoseconds, time: time)
        result.reason = ConnectivityReason(reason)
        result.failedPhase = .resolve
        result.phaseNanoseconds[.resolve] = duration.nanoseconds
        result.failure =
            switch reason {
            case .nameNotFound: "the name does not exist, says the name server"
            case .nameHijacked: "the name server says that it is at an address that is none of the Internet's"
            case .nameServerSilent: "no name server answered"
            case .noRoute: "no route leads to a name server"
            case .unsent: "this host could not send the question for its name: see its firewall and its limits"
            default: "the name server could not find the name"
            }
        return result
    }

    /// The way that connections leave by.
    func way(of evidence: TrafficEvidence) -> Way? {
        network.ways.first {
            $0.reachesAll && $0.way.interface == evidence.interface && $0.way.family == evidence.family
        }?.way
    }
}
