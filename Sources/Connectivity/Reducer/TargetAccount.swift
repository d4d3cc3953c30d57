internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

/// A target as one lane sees it.
struct Sight: Sendable {
    /// By its place among the lanes.
    let lane: Int
    /// The target's among those of the lane.
    let place: Int
    let health: Health
    /// When the latest of its probes ended.
    let end: MonotonicTime?

    /// What is known of every target where a person has to log in first.
    static let behindPortal = Health(.unknown, .uplink, .portal)
}

/// Why a target is as it is, and what each of its addresses did.
struct TargetAccount {
    private(set) var reason: ConnectivityReason?
    private(set) var blame: TargetHealth.Blame?
    private(set) var evidence: String?
    private(set) var addresses: [AddressResult]?

    private init(reason: ConnectivityReason? = nil, blame: TargetHealth.Blame? = nil, evidence: String? = nil) {
        (self.reason, self.blame, self.evidence) = (reason, blame, evidence)
    }

    /// - Parameters:
    ///   - seen: What the lanes see of the target.
    ///   - status: What that comes to.
    init(
        of target: Int, _ status: TargetHealth.Status, _ seen: [Sight], _ lanes: [Lane], over watched: WatchedPath
    ) {
        if status != .up { self = Self.explain(target, status, seen, lanes, watched) }
        if watched.probesEachAddress { tellAddresses(status, seen, lanes) }
    }

    /// What a silence was called last is no news: one probe ends before a connection stands, and the next one after it.
    ///
    /// - Parameter anyWord: Whether no other word is, either: it is that of one result alone.
    mutating func keepWord(of old: TargetHealth, anyWord: Bool) {
        guard old.status == .down, old.blame == blame, let word = old.reason, let reason,
            anyWord || (word.isSilence && reason.isSilence)
        else { return }
        self.reason = word
    }

    private static func explain(
        _ target: Int, _ status: TargetHealth.Status, _ seen: [Sight], _ lanes: [Lane], _ watched: WatchedPath
    ) -> TargetAccount {
        let isReachable = watched.path.status.isReachable
        let isAsked = isReachable ? !seen.isEmpty : seen.contains { $0.health.status == .down }
        guard isAsked else { return cutOff(target, watched) }
        let telling =
            seen.first { $0.health.status == .down && status == .down }
            ?? seen.first { $0.health.culprit != nil }
        guard let telling, let culprit = telling.health.culprit else { return TargetAccount() }
        let result = lanes[telling.lane].record.latest[telling.place]
        var account = TargetAccount(reason: reason(telling, result), blame: .init(culprit))
        if result?.outcome != .success, let reason = result?.reason, reason.isOwn(culprit) {
            account.blame = reason == .interfaceUnusable ? .path : .host
            account.reason = reason
        }
        account.evidence = account.evidence(telling, result, lanes[telling.lane], watched.configuration)
        return account
    }

    /// No lane can ask it.
    private static func cutOff(_ target: Int, _ watched: WatchedPath) -> TargetAccount {
        guard watched.path.status.isReachable else {
            return TargetAccount(
                reason: .noPath, blame: .path, evidence: "this host is cut off: there is no path")
        }
        return TargetAccount(
            reason: watched.places.isBound(target) ? .interfaceUnusable : .noPath, blame: .path,
            evidence: "no uplink of this host's goes there")
    }

    /// The result's own word where it is of the same kind as what the model found.
    private static func reason(_ sight: Sight, _ result: ProbeResult?) -> ConnectivityReason? {
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
    private static func isOfRecords(_ result: ProbeResult?) -> Bool {
        result.map { $0.reason == .nameServerFailed && $0.remoteAddress != nil } ?? false
    }

    private func evidence(
        _ sight: Sight, _ result: ProbeResult?, _ lane: Lane, _ configuration: ConnectivityConfiguration
    ) -> String? {
        let over = lane.key.interface.map { " over \($0)" } ?? ""
        switch blame {
        case .target where sight.health.reason == .redirected:
            let isRedirect = result?.statusCode.map { (300..<400).contains($0) } ?? true
            return "\(isRedirect ? "it sends to another site" : "another page is in its place"); perhaps a portal"
        case .target:
            return lane.assessor.witness(against: sight.place).map { Self.answered($0, lane, configuration) }
                ?? lane.traffic.heard.map { _ in "this host's own connections are answered" }
        case .uplink where sight.health.reason == .portal: return "a portal answers in place of all"
        case .uplink:
            return "this host is cut off: nobody \(lane.assessor.hasUp ? "behind the gateway " : "")answers\(over)"
        case .unknown: return "it alone is asked and does not answer: whose fault that is cannot be told"
        case .resolver where reason == .nameNotFound:
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

    private static func answered(
        _ witness: (address: IPAddress, target: Int?), _ lane: Lane, _ configuration: ConnectivityConfiguration
    ) -> String {
        if let place = witness.target, place < lane.members.count {
            return "\(configuration.targets[lane.members[place]].name) answered"
        }
        return "\(witness.address) answered"
    }

    /// Tells what each address did and, where some have failed long enough, why: the target stays up.
    private mutating func tellAddresses(_ status: TargetHealth.Status, _ seen: [Sight], _ lanes: [Lane]) {
        guard let own = seen.first(where: { lanes[$0.lane].record.latest[$0.place]?.addresses != nil }) else { return }
        let result = lanes[own.lane].record.latest[own.place]
        addresses = result?.addresses
        guard status == .up, let first = lanes[own.lane].record.failing(own.place).first else { return }
        reason = first.reason
        blame = .target
        evidence =
            (result?.addresses ?? []).summary
            + (result?.addressCount.map { "; the first \(Probe.mostAddresses) of \($0) were asked" } ?? "")
    }
}
