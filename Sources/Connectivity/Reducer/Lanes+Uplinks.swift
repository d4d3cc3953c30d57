internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

/// What the lanes say together.
extension Lanes {
    /// What path and lanes say together.
    ///
    /// - Parameter told: What was told before.
    func judgement(over watched: WatchedPath, told: Judgement) -> Judgement {
        switch watched.path.status {
        case .unknown: Judgement(.unknown)
        case .none: Judgement(.none, .noPath, .path)
        case .ethernet, .wifi, .wwan, .other:
            watched.configuration.watched.isEmpty
                ? Judgement(.unknown, .probesDisabled)
                : joined(watched.path, watched.configuration.uplinkPolicy, told: told)
        }
    }

    private func joined(_ path: Path, _ policy: UplinkPolicy, told last: Judgement) -> Judgement {
        let relevant = all.filter {
            !$0.members.isEmpty && $0.assessor.isApplicable && (policy != .active || path.isActive($0.key))
        }
        let told = relevant.filter { $0.judgement.status != .unknown }
        guard !told.isEmpty else { return relevant.first?.judgement ?? Judgement(.unknown) }
        let isDecided = policy == .any && told.contains { $0.judgement.status == .full }
        // A lane that is not known yet could still turn it.
        if !isDecided, told.count < relevant.count {
            guard last.status.rank > ConnectivityStatus.none.rank else { return Judgement(.unknown) }
        }
        guard policy == .any else { return Judgement(joining: told, path) }
        return told.map(\.judgement).max { $0.status.rank < $1.status.rank } ?? last
    }

    /// What is told of each uplink.
    func uplinks(over path: Path) -> [UplinkVerdict] {
        all.filter { $0.key != .route }.map { lane in
            var verdict = UplinkVerdict(
                interface: lane.key.interface, family: lane.key.family, isActive: path.isActive(lane.key),
                connectivity: lane.judgement.status)
            verdict.reason = lane.judgement.reason
            verdict.sinceMonotonic = lane.since
            verdict.checkedMonotonic = lane.record.checkedAt
            verdict.suspectMonotonic = lane.traffic.stalledSince
            return verdict
        }
    }

    /// When any of them was looked at last.
    var checkedAt: MonotonicTime? { all.indices.lazy.compactMap { all[$0].record.checkedAt }.max() }

    /// Whether none knows anything of any target.
    var isIgnorant: Bool { all.indices.allSatisfy { all[$0].assessor.isIgnorant } }

    /// The latest results of each.
    var results: [LatestResults] { all.map(\.record.latest) }

    /// The targets of which there may be news.
    func targets(of news: UntoldNews) -> [Int] {
        var targets = news.targets.union(news.results)
        for lane in news.wholeLanes where lane < all.count { targets.formUnion(all[lane].members) }
        return targets.sorted()
    }

    // MARK: The host's own connections

    /// Whether any is thought to work, so that there is something to lose.
    var hasWatchable: Bool { all.indices.contains { all[$0].isWatchable } }

    /// Since when connections over a way that traffic leaves by wait in vain.
    func suspectSince(over path: Path) -> MonotonicTime? {
        var first: MonotonicTime?
        // By their places: a copy of a lane costs more than all that is looked at.
        for lane in all.indices {
            guard let since = all[lane].traffic.stalledSince, all[lane].isWatchable, path.isActive(all[lane].key),
                all[lane].assessor.suspectSince != nil
            else { continue }
            first = min(first ?? since, since)
        }
        return first
    }

    /// Whether connections were told to wait in vain over one that is suspected no more.
    var hasRefuted: Bool {
        all.indices.contains { all[$0].traffic.stalledSince != nil && all[$0].assessor.suspectSince == nil }
    }
}

/// Which uplink works while the one that traffic leaves by does not. What was found on it before the loss may be an interval
/// old, and what killed the one may have killed the other: it has to have answered about when the other fell silent, or later.
extension Lanes {
    /// Since when nothing is heard over the ways that traffic leaves by; nil while something is.
    func lostSince(over path: Path) -> MonotonicTime? {
        var first: MonotonicTime?
        // By their places: a copy of a lane costs more than all that is looked at.
        for lane in all.indices where carries(lane, path) {
            let isPortal = all[lane].judgement.status == .portal
            guard let since = all[lane].assessor.silentSince ?? (isPortal ? all[lane].since : nil) else { return nil }
            first = min(first ?? since, since)
        }
        return first
    }

    /// Whether traffic leaves by a lane over which something is asked. Where no target may be asked in its family, or
    /// has an address of it, a lane is never known to be lost.
    private func carries(_ lane: Int, _ path: Path) -> Bool {
        path.isActive(all[lane].key) && !all[lane].members.isEmpty && all[lane].assessor.isApplicable
    }

    /// The interface of the spare that was told, while that works, else of the one that was heard last; nil while
    /// traffic's own way works, or where no spare is known to.
    ///
    /// - Parameter last: The spare that was told.
    func spare(over path: Path, after last: String?) -> String? {
        guard all.count > 1, let lost = lostSince(over: path) else { return nil }
        let isLost = all.indices.allSatisfy { lane in
            let status = all[lane].judgement.status
            return !carries(lane, path) || status == .local || status == .portal
        }
        guard isLost else { return nil }
        let fit = all.filter { lane in
            !path.isActive(lane.key) && lane.judgement.status == .full && lane.isProven(since: lost)
        }
        // Each answer over another one would send everybody there, and back with the next.
        if let last, fit.contains(where: { $0.key.interface == last }) { return last }
        return fit.max { ($0.assessor.heardAt ?? lost) < ($1.assessor.heardAt ?? lost) }?.key.interface
    }
}

extension Judgement {
    /// The judgement of several lanes that must all be well.
    fileprivate init(joining lanes: [Lane], _ path: Path) {
        let statuses = lanes.map(\.judgement.status)
        guard let worst = lanes.map(\.judgement).min(by: { $0.status.rank < $1.status.rank }) else {
            self.init(.unknown)
            return
        }
        if worst.status == .full || lanes.count == 1 {
            self = worst
        } else if !statuses.contains(.full) {
            self =
                statuses.contains(.portal)
                ? Judgement(.portal, .portal, .uplink)
                : statuses.contains(.limited) ? Judgement(.limited, worst.reason, worst.blame) : worst
        } else {
            self.init(.limited, Self.leg(lanes, path) ?? Self.family(lanes) ?? worst.reason, worst.blame)
        }
    }

    /// Where some legs of a multipath route work and the others do not, and nothing else is wrong, that is the reason.
    private static func leg(_ lanes: [Lane], _ path: Path) -> ConnectivityReason? {
        let bad = lanes.filter { $0.judgement.status != .full }.map(\.key)
        let good = lanes.filter { $0.judgement.status == .full }.map(\.key)
        let isLeg = bad.allSatisfy { key in
            path.isLeg(key) && good.contains { $0.family == key.family && path.isLeg($0) }
        }
        return isLeg ? .legFailed : nil
    }

    /// Where one family works over every lane and the other over none, that is the reason.
    private static func family(_ lanes: [Lane]) -> ConnectivityReason? {
        let bad = Set(lanes.filter { $0.judgement.status != .full }.compactMap(\.key.family))
        let good = Set(lanes.filter { $0.judgement.status == .full }.compactMap(\.key.family))
        guard bad.count == 1, good.isDisjoint(with: bad) else { return nil }
        return bad.contains(.ipv4) ? .ipv4Failed : .ipv6Failed
    }
}
