internal import EventLoop
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// Judges each lane by its own checks. While probes are under way that could turn it, its last judgement stands.
    mutating func judgeLanes(at now: Instant) {
        for index in lanes.indices {
            let old = lanes[index].judgement.status
            notePortal(of: index)
            lanes[index].judgement = judgement(of: index)
            guard lanes[index].judgement.status != old else { continue }
            lanes[index].since = now.monotonic
            if lanes[index].isLost { proveSpares(of: index, at: now) }
            // What a target's failure is worth depends on that alone; the evidence of thousands may be older.
            if !putsOff || old == .portal || lanes[index].judgement.status == .portal { examineAll() }
        }
    }

    /// What a portal's API said does not stand any longer than it says so.
    private mutating func notePortal(of index: Int) {
        let isCaptive = hasCaptivePortal(index)
        if lanes[index].isCaptive, !isCaptive { lanes[index].judgement = Judgement(.unknown) }
        lanes[index].isCaptive = isCaptive
    }

    private func judgement(of index: Int) -> Judgement {
        let lane = lanes[index]
        if lane.isCaptive { return Judgement(.portal, .portal) }
        if lane.isForgetting { return Judgement(.unknown) }
        if lane.isDead { return Judgement(.local) }
        guard lane.checks > 0 else { return Judgement(.unknown) }
        // What is too old no longer speaks for what it said.
        let judged =
            Judgement(lane.tally, policy: configuration.policy)
            ?? (lane.stale > 0 ? Judgement(.unknown) : lane.judgement)
        return upheld(judged, of: lane)
    }

    /// What path and lanes say together.
    var currentJudgement: Judgement {
        switch path.status {
        case .unknown: Judgement(.unknown)
        case .none: Judgement(.none, .noPath)
        case .ethernet, .wifi, .wwan, .other:
            configuration.watched.isEmpty && unsettled == nil ? Judgement(.unknown, .probesDisabled) : joined
        }
    }

    private var joined: Judgement {
        let relevant = lanes.filter { configuration.uplinkPolicy != .active || path.isActive($0.key) }
        if relevant.contains(where: { $0.judgement.status == .unknown && ($0.stale > 0 || $0.hasLapsed) }) {
            return Judgement(.unknown)
        }
        let told = relevant.filter { $0.judgement.status != .unknown }
        guard !told.isEmpty else { return Judgement(.unknown) }
        let isAny = configuration.uplinkPolicy == .any
        let isDecided = isAny && told.contains { $0.judgement.status == .full }
        // A lane whose probes are all under way could still turn it, unless it has nothing that applies to it.
        if !isDecided, relevant.contains(where: { $0.judgement.status == .unknown && $0.checks > 0 }) {
            guard judgement.status.rank > ConnectivityStatus.none.rank else { return Judgement(.unknown) }
        }
        guard isAny else { return Judgement(joining: told, path) }
        return told.map(\.judgement).max { $0.status.rank < $1.status.rank } ?? judgement
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
        if worst.status == .full {
            self = worst
        } else if !statuses.contains(.full) {
            self =
                statuses.contains(.portal)
                ? Judgement(.portal, .portal)
                : statuses.contains(.limited) ? Judgement(.limited, worst.reason) : worst
        } else {
            self.init(.limited, Self.leg(lanes, path) ?? Self.family(lanes))
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

extension ConnectivityStatus {
    /// From worse to better.
    var rank: Int {
        switch self {
        case .unknown: 0
        case .none: 1
        case .local: 2
        case .portal: 3
        case .limited: 4
        case .full: 5
        }
    }
}
