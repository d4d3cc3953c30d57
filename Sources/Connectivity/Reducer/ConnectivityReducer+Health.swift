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
        // Asked once: each question to what is within a lane copies it.
        let found = lanes.map { $0.isCaptive ? $0.members.map { _ in Self.behindPortal } : $0.assessor.healthOfAll }
        let results = lanes.map(\.results)
        var seen: [Sight] = []
        for target in health.indices {
            seen.removeAll(keepingCapacity: true)
            for lane in results.indices {
                guard let place = results[lane].place(of: target) else { continue }
                let end = results[lane].end(of: place)
                seen.append(Sight(lane: lane, place: place, health: found[lane][place], end: end))
            }
            _ = examine(target, seen, at: since)
        }
    }

    /// Brings what is told of the targets up to date; returns those whose news are to be told.
    mutating func examineTargets(at now: Instant) -> [Int] {
        guard !concernsAll else { return doubtful.filter { examine($0, sights(of: $0), at: now) } }
        var targets = news.targets.union(news.results)
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
        if notUp.isEmpty, wellTargets == health.count { return [] }
        return health.indices.filter { target in
            if notUp.first == target { return notUp.popFirst() != nil }
            return !health[target].isWell
        }
    }

    /// Writes down what the lanes see of a target; returns whether that is news.
    private mutating func examine(_ target: Int, _ seen: [Sight], at now: Instant) -> Bool {
        let status = status(seen)
        var new = status == .up ? Account() : account(of: target, status, seen)
        if probesEachAddress { tellAddresses(&new, status, seen) }
        let isAnnounced = news.targets.contains(target)
        if status == .down, probesEachAddress || !isAnnounced {
            new.keepWord(of: health[target], anyWord: !isAnnounced && news.results.contains(target))
        }
        let end = seen.lazy.compactMap(\.end).max()
        // In its place: after the loss of the only way out thousands are written down.
        let old = health[target].become(status, new, checkedAt: end, at: now.monotonic)
        knownTargets += (status == .unknown ? 0 : 1) - (old.status == .unknown ? 0 : 1)
        wellTargets += (health[target].isWell ? 1 : 0) - (old.status == .up && old.reason == nil ? 1 : 0)
        guard old.status == status else {
            // Its lanes may have had other news to tell later, or none.
            for sight in seen { lanes[sight.lane].assessor.note(told: sight.health, of: sight.place) }
            return true
        }
        // An address that is gone, or back, is news though the target is up all the while.
        if status == .up { return old.reason != new.reason }
        // Nor does it stay down for what it went down for.
        if status == .down { return old.reason != new.reason || old.blame != new.blame }
        // So is whose fault it is that nothing is known of it.
        if status == .unknown, let blame = new.blame, old.blame != blame { return true }
        return new.reason == .notPermitted && old.reason != .notPermitted
            && configuration.targets[target].role == .target
    }

    /// A target as one lane sees it.
    private struct Sight {
        let lane: Int
        let place: Int
        let health: Health
        /// When the latest of its probes ended.
        let end: MonotonicTime?
    }

    private static let behindPortal = Health(.unknown, .uplink, .portal)

    private func sights(of target: Int) -> [Sight] {
        lanes.indices.compactMap { lane in
            guard let place = lanes[lane].place(of: target) else { return nil }
            let health = lanes[lane].isCaptive ? Self.behindPortal : lanes[lane].assessor.health(of: place)
            return Sight(lane: lane, place: place, health: health, end: lanes[lane].results.end(of: place))
        }
    }

    /// Up where it answers over one uplink; down where it does not, and no other could still tell.
    private func status(_ seen: [Sight]) -> TargetHealth.Status {
        if seen.contains(where: { $0.health.status == .up }) { return .up }
        return seen.contains { $0.health.status == .down } ? .down : .unknown
    }

    // MARK: Why

    private func account(of target: Int, _ status: TargetHealth.Status, _ seen: [Sight]) -> Account {
        let isAsked = path.status.isReachable ? !seen.isEmpty : seen.contains { $0.health.status == .down }
        guard isAsked else { return cutOff(target) }
        let telling =
            seen.first { $0.health.status == .down && status == .down }
            ?? seen.first { $0.health.culprit != nil }
        guard let telling, let culprit = telling.health.culprit else { return Account() }
        let result = lanes[telling.lane].results[telling.place]
        var told = Account(reason: reason(telling, result), blame: .init(culprit))
        if result?.outcome != .success, let reason = result?.reason, reason.isOwn(culprit) {
            told.blame = reason == .interfaceUnusable ? .path : .host
            told.reason = reason
        }
        told.evidence = evidence(telling, told, result)
        return told
    }

    /// No lane can ask it.
    private func cutOff(_ target: Int) -> Account {
        guard path.status.isReachable else {
            return Account(reason: .noPath, blame: .path, evidence: "this host is cut off: there is no path")
        }
        return Account(
            reason: targetPlaces.isBound(target) ? .interfaceUnusable : .noPath, blame: .path,
            evidence: "no uplink of this host's goes there")
    }

    /// The result's own word where it is of the same kind as what the model found.
    private func reason(_ sight: Sight, _ result: ProbeResult?) -> ConnectivityReason? {
        guard let reason = sight.health.reason else { return nil }
        let own = result?.outcome == .success ? nil : result?.reason
        return switch reason {
        case .silent, .unreachable, .unanswered:
            own.flatMap { $0.isOfConnection || isOfRecords(result) ? $0 : nil } ?? .init(reason)
        case .refused, .unexpected, .untrusted, .outOfTime, .noRoute, .unsent: own ?? .init(reason)
        default: .init(reason)
        }
    }

    /// Whether it is a name server's that was asked for records, and gave none.
    private func isOfRecords(_ result: ProbeResult?) -> Bool {
        result.map { $0.reason == .nameServerFailed && $0.remoteAddress != nil } ?? false
    }

    private func evidence(_ sight: Sight, _ told: Account, _ result: ProbeResult?) -> String? {
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
            return lane.assessor.isClockShownByDate
                ? "it is another time elsewhere: the answers of others are dated a day off or more"
                : "the certificates of others are not valid at this host's time, either"
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
    private func tellAddresses(_ told: inout Account, _ status: TargetHealth.Status, _ seen: [Sight]) {
        guard let own = seen.first(where: { lanes[$0.lane].results[$0.place]?.addresses != nil }) else { return }
        let result = lanes[own.lane].results[own.place]
        told.addresses = result?.addresses
        guard status == .up, let first = lanes[own.lane].failing(own.place).first else { return }
        told.reason = first.reason
        told.blame = .target
        told.evidence =
            (result?.addresses ?? []).summary
            + (result?.addressCount.map { "; the first \(Probe.mostAddresses) of \($0) were asked" } ?? "")
    }
}

/// Why a target is as it is, and what each of its addresses did.
private struct Account {
    var reason: ConnectivityReason?
    var blame: TargetHealth.Blame?
    var evidence: String?
    var addresses: [AddressResult]?

    /// What a silence was called last is no news: one probe ends before a connection stands, and the next one after it.
    ///
    /// - Parameter anyWord: Whether no other word is, either: it is that of one result alone.
    mutating func keepWord(of old: TargetHealth, anyWord: Bool) {
        guard old.status == .down, old.blame == blame, let word = old.reason, let reason,
            anyWord || (word.isSilence && reason.isSilence)
        else { return }
        self.reason = word
    }
}

extension TargetHealth {
    /// Whether it is up, and there is nothing else to tell of it.
    var isWell: Bool { status == .up && reason == nil }

    /// - Returns: What it was.
    fileprivate mutating func become(
        _ new: Status, _ account: Account, checkedAt: MonotonicTime?, at now: MonotonicTime
    ) -> (status: Status, reason: ConnectivityReason?, blame: Blame?) {
        defer {
            if status != new { (status, sinceMonotonic) = (new, now) }
            checkedMonotonic = checkedAt ?? checkedMonotonic
            (reason, blame, evidence) = (account.reason, account.blame, account.evidence)
            addresses = account.addresses
        }
        return (status, reason, blame)
    }
}
