package import EventLoop
internal import NetworkAddress

/// Other targets, while what is known goes on to be known.
extension Assessor {
    /// An assessor of other targets that knows what another one knew of ways, hosts and names, and of the targets that both
    /// watch. What that one had under way is given up.
    ///
    /// - Parameter places: Of each target the place it had before; nil for a new one.
    package init(_ settings: Settings, adopting old: Assessor, places: [Int?], at now: MonotonicTime) {
        self.init(settings, at: old.start, seed: 0)
        random = old.random
        lastAsk = old.lastAsk
        publication = Publication(continuing: old.publication)
        output.cancelled = old.open.keys.sorted()
        adoptWays(old, at: now)
        adoptHosts(old, places)
        names.adopt(old.names)
        for (target, place) in places.enumerated() {
            guard let place else { continue }
            told[target] = old.told[place]
            adopt(target, old.targets[place], from: old, at: now)
        }
        placeless = targets.indices.count { targets[$0].hosts.isEmpty && settings.targets[$0].role != .witness }
        adoptContradictions(old, places, at: now)
        forgetVerdictOfOthers(places)
        follow(old.network, at: now)
        request(at: now)
    }

    /// What was told of other targets alone says nothing of these.
    private mutating func forgetVerdictOfOthers(_ places: [Int?]) {
        let own = places.indices.filter { settings.targets[$0].role == .target }
        if !own.isEmpty, own.allSatisfy({ places[$0] == nil }) { publication.forget() }
    }

    private mutating func adoptWays(_ old: Assessor, at now: MonotonicTime) {
        network = old.network
        ways = old.ways
        ways.forgetTargets()
        nowhere = Nowhere(after: old.nowhere)
        for way in ways.indices {
            // What its round has asked is given up: all are asked anew, which raises the same doubt.
            ways[way].acquit()
            if let due = ways[way].rotationDue { dueQueue.add(.rotation(way), at: due) }
            if let until = ways[way].slowUntil, until > now { dueQueue.add(.publish, at: until) }
            // One that is past is planned with the path.
            if let due = ways[way].gapDue, due > now { dueQueue.add(.gap(way), at: due) }
        }
    }

    private mutating func adoptHosts(_ old: Assessor, _ places: [Int?]) {
        hosts = old.hosts
        hosts.forgetTargets()
        for (target, place) in places.enumerated() {
            for host in place.map({ old.targets[$0].hosts }) ?? [] {
                hosts.give(host, to: target)
                if settings.targets[target].role != .witness { use(hosts[host].way) }
            }
        }
    }

    private mutating func adopt(_ target: Int, _ before: TargetState, from old: Assessor, at now: MonotonicTime) {
        targets[target].adopt(before)
        let isCurrent =
            before.way.map { ways[$0].generation == before.generation }
            ?? (before.generation == nowhere.generation)
        guard isCurrent, let known = before.known else { return }
        targets[target].place(nil, way: nil, generation: nowhere.generation)
        settle(target, known, way: before.way, at: now)
    }

    private mutating func adoptContradictions(_ old: Assessor, _ places: [Int?], at now: MonotonicTime) {
        // Without certificates nothing would tell that it is right again.
        if settings.targets.contains(where: { $0.transport == .secure && $0.role != .witness }) { clock = old.clock }
        guard let witness = old.portal.witness else { return }
        guard let place = places.firstIndex(of: witness) ?? portalWitness else {
            if old.portal.stands { forgetFindings() }
            return
        }
        portal = PortalState(old.portal, witness: place)
        if portal.stands { dueQueue.add(.portal, at: now + Rules.apart) }
    }

    /// What can tell of a portal where none of the targets has proven it: the built-in reference has no place among them.
    private var portalWitness: Int? {
        let plain = targets.indices.filter { settings.targets[$0].transport == .plainHTTP && leadsOut($0) }
        return plain.first { settings.targets[$0].role == .witness } ?? plain.first
    }
}
