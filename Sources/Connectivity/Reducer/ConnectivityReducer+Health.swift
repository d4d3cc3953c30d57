internal import EventLoop
internal import Reachability

extension ConnectivityReducer {
    /// Brings what is known of the targets up to date; returns those whose status is another than was told of them last.
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

    /// Brings what is known of a target up to date after what changes all was told. What is news is told with the next event.
    mutating func examineQuietly(_ target: Int, at now: Instant) {
        dirty.remove(target)
        if examine(target, at: now) { untold.insert(target) } else { untold.remove(target) }
    }

    private mutating func examine(_ target: Int, at now: Instant) -> Bool {
        let old = health[target]
        let own = checksOfTarget[target]
        var new = TargetHealth(target: old.target, status: status(own, before: old.status))
        new.sinceMonotonic = old.status == new.status ? old.sinceMonotonic : now.monotonic
        new.checkedMonotonic = latestResult(own) ?? old.checkedMonotonic
        if new.status != .up { explain(&new, own, configuration.targets[target]) }
        tellAddresses(&new, own)
        health[target] = new
        // An address that is gone, or back, is news though the target is up all the while.
        if old.status == .up, new.status == .up, old.reason != new.reason { return true }
        if new.reason == .notPermitted, old.reason != .notPermitted, configuration.targets[target].role == .target {
            return true
        }
        return new.status != toldStatuses[target]
    }

    private func latestResult(_ own: [Int]) -> MonotonicTime? {
        own.reduce(nil) { latest, index in
            guard let time = checks[index].result?.endMonotonic else { return latest }
            return latest.map { max($0, time) } ?? time
        }
    }

    /// Up where it answers over one uplink; down where it does not and others do. It stays so until an uplink that is new, or
    /// alive again, has shown something else.
    private func status(_ own: [Int], before old: TargetHealth.Status) -> TargetHealth.Status {
        if own.contains(where: { checks[$0].standing == .up }) { return .up }
        guard own.contains(where: isKnownDown) else { return .unknown }
        return old != .down && own.contains(where: isOpen) ? .unknown : .down
    }

    /// Whether it could still turn out to be up over an uplink: not over one where nobody answers.
    private func isOpen(_ index: Int) -> Bool {
        checks[index].standing == .pending && (!lanes[checks[index].lane].isDead || checks[index].isNear)
    }

    private func isKnownDown(_ index: Int) -> Bool {
        let lane = checks[index].lane
        return checks[index].standing.isFailure && (!lanes[lane].isDead || checks[index].isNear)
            && lanes[lane].judgement.status != .portal
    }

    private func explain(_ health: inout TargetHealth, _ own: [Int], _ target: Target) {
        guard !own.isEmpty else { return tellCutOff(&health, target) }
        let failed = own.filter { checks[$0].result.map { $0.outcome != .success } ?? false }
        // The one that it is known by says why, and not one over an uplink where nobody answers.
        let telling = health.status == .down ? failed.first(where: isKnownDown) : nil
        guard let index = telling ?? failed.first, let result = checks[index].result else {
            if own.contains(where: { checks[$0].isStale }) { tellStaleness(&health) }
            return
        }
        let lane = lanes[checks[index].lane]
        health.reason = result.reason
        health.blame = Self.blame(result, lane, isWitnessed: health.status == .down)
        health.evidence = result.reason == .notPermitted ? result.failure : evidence(health.blame, lane)
    }

    /// Nobody can ask it.
    private func tellCutOff(_ health: inout TargetHealth, _ target: Target) {
        health.reason = path.status.isReachable && target.isBound ? .interfaceUnusable : .noPath
        health.blame = .path
        health.evidence =
            path.status.isReachable
            ? "no uplink of this host's goes there" : "this host is cut off: there is no path"
    }

    private func tellStaleness(_ health: inout TargetHealth) {
        health.blame = .host
        health.evidence = "this host has not looked for more than \(staleAge.nanoseconds / 1_000_000_000) s"
    }

    private static func blame(_ result: ProbeResult, _ lane: Lane, isWitnessed: Bool) -> TargetHealth.Blame {
        switch result.reason {
        case .overloaded, .notPermitted, .bindingRefused, .interfaceUnusable, .reversePathFilter, .bodyUnexamined:
            .host
        case .noRoute, .noPath: .path
        case .nameServerFailed, .nameHijacked: .resolver
        case .gatewayUnreachable: .uplink
        default: !isWitnessed && (lane.isDead || lane.judgement.status == .portal) ? .uplink : .target
        }
    }

    private func evidence(_ blame: TargetHealth.Blame?, _ lane: Lane) -> String? {
        switch blame {
        case .target:
            lane.heard.map { heard in
                heard.check == Lane.Heard.traffic
                    ? "this host's own connections are answered"
                    : heard.check < checks.count ? "\(checks[heard.check].target.name) answered" : nil
            } ?? nil
        case .uplink where lane.judgement.status == .portal: "a portal answers in place of all"
        case .uplink:
            "this host is cut off: nobody \(lane.tally.isMixed ? "behind the gateway " : "")answers"
                + (lane.key.interface.map { " over \($0)" } ?? "")
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
