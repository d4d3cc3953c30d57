internal import EventLoop
internal import Reachability

extension ConnectivityReducer {
    /// Brings what is known of the targets up to date; returns those that went up or down, or out of sight.
    mutating func examineTargets(at now: Instant) -> [Int] {
        let indices = dirty
        dirty = []
        return indices.filter { examine($0, checksOfTarget[$0], at: now) }.sorted()
    }

    private mutating func examine(_ target: Int, _ own: [Int], at now: Instant) -> Bool {
        let old = health[target]
        var new = TargetHealth(target: old.target, status: status(own))
        new.since = old.status == new.status ? old.since : now.monotonic
        new.checkedAt = own.compactMap { checks[$0].result?.time }.max() ?? old.checkedAt
        if new.status != .up { explain(&new, own) }
        tellAddresses(&new, own)
        health[target] = new
        // An address that is gone, or back, is news though the target is up all the while.
        if old.status == .up, new.status == .up, old.reason != new.reason { return true }
        // A reference says something about the uplink only, and to be found well is no news.
        guard configuration.targets[target].role == .target, old.status != new.status else { return false }
        return old.status != .unknown || new.status == .down
    }

    /// Up where it answers over one uplink; down where it does not and others do.
    private func status(_ own: [Int]) -> TargetHealth.Status {
        let standings = own.map { checks[$0].standing }
        if standings.contains(.up) { return .up }
        let isKnownDown = own.contains { index in
            [.down, .refused, .wrong].contains(checks[index].standing)
                && (!lanes[checks[index].lane].isDead || checks[index].isNear)
                && lanes[checks[index].lane].judgement.status != .portal
        }
        return isKnownDown && !standings.contains(.pending) ? .down : .unknown
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
    var reason: ConnectivityReason? {
        reason(judgement) { _ in true }
    }

    func reason(of lane: Lane) -> ConnectivityReason? {
        reason(lane.judgement) { lanes[$0].key == lane.key }
    }

    private func reason(_ judgement: Judgement, _ isIncluded: (_ lane: Int) -> Bool) -> ConnectivityReason? {
        switch (judgement.status, judgement.reason) {
        case (.full, .endpointsUnreachable?): .endpointsUnreachable
        case (.full, _): nil
        case (_, nil): commonReason(isIncluded)
        case (_, .targetsFailed?): onlyReason(isIncluded) ?? .targetsFailed
        case (_, let reason?): reason
        }
    }

    /// What all that failed have failed for; nil where they do not agree.
    private func onlyReason(_ isIncluded: (_ lane: Int) -> Bool) -> ConnectivityReason? {
        var only: ConnectivityReason??
        for index in checks.indices where checks[index].standing != .up && isIncluded(checks[index].lane) {
            let reason = checks[index].result?.reason
            guard only == nil || only == .some(reason) else { return nil }
            only = .some(reason)
        }
        return only ?? nil
    }

    private func commonReason(_ isIncluded: (_ lane: Int) -> Bool) -> ConnectivityReason? {
        var counts: [ConnectivityReason: Int] = [:]
        for index in checks.indices where isIncluded(checks[index].lane) {
            if let reason = checks[index].result?.reason { counts[reason, default: 0] += 1 }
        }
        return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }
}
