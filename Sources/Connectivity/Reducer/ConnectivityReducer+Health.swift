internal import EventLoop
internal import Reachability

extension ConnectivityReducer {
    /// Brings what is known of the targets up to date; returns those that went up or down, or out of sight.
    mutating func examineTargets(at now: Instant) -> [Int] {
        let part = unexamined.prefix(slicing.slice)
        unexamined = part.upperBound..<unexamined.upperBound
        dirty.formUnion(part)
        var news = untold
        for index in dirty where examine(index, at: now) { news.insert(index) }
        (dirty, untold) = ([], [])
        return news.sorted()
    }

    /// Has all targets examined: with this input where an event tells them all, a few with each where there are too many.
    mutating func examineAll() {
        if putsOff { unexamined = health.indices } else { dirty.formUnion(health.indices) }
    }

    /// Brings what is known of a target up to date after what changes all was told. That it is not known any more was told
    /// by that, unless it is news all the same.
    mutating func examineQuietly(_ target: Int, at now: Instant, isNews: Bool) {
        dirty.remove(target)
        if examine(target, at: now), isNews || health[target].status != .unknown { untold.insert(target) }
    }

    private mutating func examine(_ target: Int, at now: Instant) -> Bool {
        let old = health[target]
        let own = checksOfTarget[target]
        var new = TargetHealth(target: old.target, status: status(own))
        new.since = old.status == new.status ? old.since : now.monotonic
        new.checkedAt = latestResult(own) ?? old.checkedAt
        if new.status != .up { explain(&new, own) }
        tellAddresses(&new, own)
        health[target] = new
        // An address that is gone, or back, is news though the target is up all the while.
        if old.status == .up, new.status == .up, old.reason != new.reason { return true }
        // A reference says something about the uplink only, and to be found well is no news.
        guard configuration.targets[target].role == .target, old.status != new.status else { return false }
        return old.status != .unknown || new.status == .down
    }

    private func latestResult(_ own: [Int]) -> MonotonicTime? {
        own.reduce(nil) { latest, index in
            guard let time = checks[index].result?.time else { return latest }
            return latest.map { max($0, time) } ?? time
        }
    }

    /// Up where it answers over one uplink; down where it does not and others do.
    private func status(_ own: [Int]) -> TargetHealth.Status {
        if own.contains(where: { checks[$0].standing == .up }) { return .up }
        guard !own.contains(where: { checks[$0].standing == .pending }) else { return .unknown }
        return own.contains(where: isKnownDown) ? .down : .unknown
    }

    private func isKnownDown(_ index: Int) -> Bool {
        let lane = checks[index].lane
        return checks[index].standing.isFailure && (!lanes[lane].isDead || checks[index].isNear)
            && lanes[lane].judgement.status != .portal
    }

    private func explain(_ health: inout TargetHealth, _ own: [Int]) {
        let result = own.compactMap { checks[$0].result }.first { $0.outcome != .success }
        let isCutOff = !path.status.isReachable && own.isEmpty
        health.reason = isCutOff ? .noPath : result?.reason
        guard !isCutOff else {
            health.blame = .path
            health.evidence = "this host is cut off: there is no path"
            return
        }
        guard let result else {
            if own.contains(where: { checks[$0].isStale }) { tellStaleness(&health) }
            return
        }
        let lane = own.first.map { lanes[checks[$0].lane] }
        health.blame = Self.blame(result, lane, isWitnessed: health.status == .down)
        health.evidence = evidence(health.blame, lane)
    }

    private func tellStaleness(_ health: inout TargetHealth) {
        health.blame = .host
        health.evidence = "this host has not looked for more than \(staleAge.nanoseconds / 1_000_000_000) s"
    }

    private static func blame(_ result: ProbeResult, _ lane: Lane?, isWitnessed: Bool) -> TargetHealth.Blame {
        switch result.reason {
        case .overloaded, .bindingRefused, .interfaceUnusable, .reversePathFilter: .host
        case .noRoute, .noPath: .path
        case .nameServerFailed, .nameHijacked: .resolver
        case .gatewayUnreachable: .uplink
        default: !isWitnessed && (lane?.isDead == true || lane?.judgement.status == .portal) ? .uplink : .target
        }
    }

    private func evidence(_ blame: TargetHealth.Blame?, _ lane: Lane?) -> String? {
        switch blame {
        case .target:
            lane?.heard.map { heard in
                heard.check == Lane.Heard.traffic
                    ? "this host's own connections are answered"
                    : heard.check < checks.count ? "\(checks[heard.check].target.name) answered" : nil
            } ?? nil
        case .uplink where lane?.judgement.status == .portal: "a portal answers in place of all"
        case .uplink:
            "this host is cut off: nobody \(lane?.tally.isMixed == true ? "behind the gateway " : "")answers"
                + (lane?.key.interface.map { " over \($0)" } ?? "")
        case .resolver: "the name was not resolved"
        case .path, .host, nil: nil
        }
    }

    /// Why connectivity is less than full: the judgement's own reason, unless the probes that failed agree on a plainer one.
    var reason: ConnectivityReason? { reason(judgement, lanes) }

    func reason(of lane: Lane) -> ConnectivityReason? { reason(lane.judgement, [lane]) }

    private func reason(_ judgement: Judgement, _ lanes: [Lane]) -> ConnectivityReason? {
        switch (judgement.status, judgement.reason) {
        case (.full, .endpointsUnreachable?): .endpointsUnreachable
        case (.full, _): nil
        case (_, nil): lanes.reduce(into: FailureReasons()) { $0.add($1.tally.reasons) }.common
        case (_, .targetsFailed?):
            lanes.reduce(into: FailureReasons()) { $0.add($1.tally.reasons) }.only ?? .targetsFailed
        case (_, let reason?): reason
        }
    }
}
