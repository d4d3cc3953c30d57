internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// Whether nothing is known of any target, as after the loss of the only way out, and there are many: that is one word,
    /// which does not wait until it is written down for each.
    var isBlank: Bool {
        guard published != nil, !isReconfigured, health.count > Event.mostForgotten,
            knownTargets == 0 || knownTargets > Event.mostForgotten
        else { return false }
        return lanes.indices.allSatisfy { lanes[$0].assessor.isIgnorant }
    }

    /// Writes down for each target what was told in one word.
    package mutating func catchUp() {
        guard let since = blankSince.take() else { return }
        // Asked once: each question to an assessor within a lane copies it.
        let found = lanes.map { $0.isCaptive ? $0.members.map { _ in Self.behindPortal } : $0.assessor.healthOfAll }
        var seen: [Sight] = []
        for target in health.indices {
            seen.removeAll(keepingCapacity: true)
            for lane in lanes.indices {
                guard let place = lanes[lane].place(of: target) else { continue }
                seen.append(Sight(lane: lane, place: place, health: found[lane][place]))
            }
            _ = examine(target, seen, at: since)
        }
    }

    /// Brings what is told of the targets up to date; returns those whose news are to be told.
    mutating func examineTargets(at now: Instant) -> [Int] {
        guard !concernsAll else { return doubtful.filter { examine($0, sights(of: $0), at: now) } }
        var targets = news.targets
        for lane in news.wholeLanes where lane < lanes.count { targets.formUnion(lanes[lane].members) }
        return targets.sorted().filter { $0 < health.count && examine($0, sights(of: $0), at: now) }
    }

    /// Whether any target may be otherwise than was told.
    private var concernsAll: Bool {
        guard let before = published?.event, !isReconfigured else { return true }
        if targetPlaces.hasBound, before.path != path { return true }
        // Without a path nothing is known of any target.
        if !path.status.isReachable || !before.path.status.isReachable { return true }
        return news.wholeLanes.contains { $0 < lanes.count && lanes[$0].members.count == health.count }
    }

    /// All targets but those that are up, as was told: of thousands most are, each time that the path changes.
    private var doubtful: [Int] {
        guard lanes.count == 1, !probesEachAddress, !lanes[0].isCaptive, lanes[0].members.count == health.count else {
            return Array(health.indices)
        }
        // Asked once: each question to an assessor within a lane copies it.
        var notUp = lanes[0].assessor.notUp[...]
        return health.indices.filter { target in
            if notUp.first == target { return notUp.popFirst() != nil }
            return health[target].status != .up || health[target].reason != nil
        }
    }

    /// Writes down what the lanes see of a target; returns whether that is news.
    private mutating func examine(_ target: Int, _ seen: [Sight], at now: Instant) -> Bool {
        let old = health[target]
        var new = TargetHealth(target: old.target, status: status(seen))
        new.sinceMonotonic = old.status == new.status ? old.sinceMonotonic : now.monotonic
        new.checkedMonotonic = lastEnd(seen) ?? old.checkedMonotonic
        if new.status != .up { explain(&new, seen, target) }
        if probesEachAddress { tellAddresses(&new, seen) }
        health[target] = new
        knownTargets += (new.status == .unknown ? 0 : 1) - (old.status == .unknown ? 0 : 1)
        guard old.status == new.status else { return true }
        // An address that is gone, or back, is news though the target is up all the while.
        if new.status == .up { return old.reason != new.reason }
        // So is whose fault it is that nothing is known of it.
        if new.status == .unknown, let blame = new.blame, old.blame != blame { return true }
        return new.reason == .notPermitted && old.reason != .notPermitted
            && configuration.targets[target].role == .target
    }

    /// A target as one lane sees it.
    private struct Sight {
        let lane: Int
        let place: Int
        let health: Health
    }

    private static let behindPortal = Health(.unknown, .uplink, .portal)

    private func sights(of target: Int) -> [Sight] {
        lanes.indices.compactMap { lane in
            guard let place = lanes[lane].place(of: target) else { return nil }
            let health = lanes[lane].isCaptive ? Self.behindPortal : lanes[lane].assessor.health(of: place)
            return Sight(lane: lane, place: place, health: health)
        }
    }

    /// When the latest of the probes ended that a target is seen by.
    private func lastEnd(_ seen: [Sight]) -> MonotonicTime? {
        var last: MonotonicTime?
        for sight in seen {
            guard let end = lanes[sight.lane].results.end(of: sight.place) else { continue }
            last = max(end, last ?? end)
        }
        return last
    }

    /// Up where it answers over one uplink; down where it does not, and no other could still tell.
    private func status(_ seen: [Sight]) -> TargetHealth.Status {
        if seen.contains(where: { $0.health.status == .up }) { return .up }
        return seen.contains { $0.health.status == .down } ? .down : .unknown
    }

    // MARK: Why

    private func explain(_ told: inout TargetHealth, _ seen: [Sight], _ target: Int) {
        guard path.status.isReachable || seen.contains(where: { $0.health.status == .down }) else {
            return tellCutOff(&told, target)
        }
        guard !seen.isEmpty else { return tellCutOff(&told, target) }
        let telling =
            seen.first { $0.health.status == .down && told.status == .down }
            ?? seen.first { $0.health.culprit != nil }
        guard let telling, let culprit = telling.health.culprit else { return }
        let result = lanes[telling.lane].results[telling.place]
        told.blame = .init(culprit)
        told.reason = reason(telling, result)
        if result?.outcome != .success, let reason = result?.reason, reason.isOwn(culprit) {
            told.blame = reason == .interfaceUnusable ? .path : .host
            told.reason = reason
        }
        told.evidence = evidence(telling, told, result)
    }

    /// No lane can ask it.
    private func tellCutOff(_ told: inout TargetHealth, _ target: Int) {
        told.reason = path.status.isReachable && targetPlaces.isBound(target) ? .interfaceUnusable : .noPath
        told.blame = .path
        told.evidence =
            path.status.isReachable
            ? "no uplink of this host's goes there" : "this host is cut off: there is no path"
    }

    /// The result's own word where it is of the same kind as what the model found.
    private func reason(_ sight: Sight, _ result: ProbeResult?) -> ConnectivityReason? {
        guard let reason = sight.health.reason else { return nil }
        let own = result?.outcome == .success ? nil : result?.reason
        return switch reason {
        case .silent, .unreachable, .unanswered: own.flatMap { $0.isOfConnection ? $0 : nil } ?? .init(reason)
        case .refused, .unexpected, .untrusted, .outOfTime, .noRoute, .unsent: own ?? .init(reason)
        default: .init(reason)
        }
    }

    private func evidence(_ sight: Sight, _ told: TargetHealth, _ result: ProbeResult?) -> String? {
        let lane = lanes[sight.lane]
        let over = lane.key.interface.map { " over \($0)" } ?? ""
        switch told.blame {
        case .target where sight.health.reason == .redirected:
            let isRedirect = result?.statusCode.map { (300..<400).contains($0) } ?? true
            return "\(isRedirect ? "it sends to another site" : "another page is in its place"); perhaps a portal"
        case .target:
            return lane.assessor.witness(against: sight.place).map { answered($0, sight.lane) }
                ?? lane.trafficHeard.map { _ in "this host's own connections are answered" }
        case .uplink where sight.health.reason == .portal: return "a portal answers in place of all"
        case .uplink:
            return "this host is cut off: nobody \(lane.assessor.hasUp ? "behind the gateway " : "")answers\(over)"
        case .unknown: return "it alone is asked and does not answer: whose fault that is cannot be told"
        case .resolver where told.reason == .nameNotFound:
            return "the name servers do not know this name\(lane.assessor.failsAllNames ? ", nor others" : "")"
        case .resolver: return "the name was not resolved"
        case .path where sight.health.reason == .silent:
            return "another way of this host's works, and this one does not"
        case .host where sight.health.reason == .clock:
            return "the certificates of others are not valid at this host's time, either"
        case .host where sight.health.reason == .silent:
            return "nothing answers over this host's own loopback: the interface lo is down, or a filter drops it"
        case .host: return result?.failure
        case .path where sight.health.reason == .noRoute: return result?.failure
        case .path, nil: return nil
        }
    }

    private func answered(_ witness: (address: IPAddress, target: Int?), _ lane: Int) -> String {
        if let place = witness.target, place < lanes[lane].members.count {
            return "\(configuration.targets[lanes[lane].members[place]].name) answered"
        }
        return "\(witness.address) answered"
    }

    /// Tells what each address did and, where some have failed long enough, why: the target stays up.
    private func tellAddresses(_ told: inout TargetHealth, _ seen: [Sight]) {
        guard let own = seen.first(where: { lanes[$0.lane].results[$0.place]?.addresses != nil }) else { return }
        let result = lanes[own.lane].results[own.place]
        told.addresses = result?.addresses
        guard told.status == .up, let first = lanes[own.lane].failing(own.place).first else { return }
        told.reason = first.reason
        told.blame = .target
        told.evidence =
            (result?.addresses ?? []).summary
            + (result?.addressCount.map { "; the first \(Probe.mostAddresses) of \($0) were asked" } ?? "")
    }
}
