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
        publication = old.publication
        output.cancelled = old.open.keys.sorted()
        adoptWays(old)
        adoptHosts(old, places)
        adoptNames(old)
        for (target, place) in places.enumerated() {
            if let place { adopt(target, old.targets[place], from: old, at: now) }
        }
        placeless = targets.indices.count { targets[$0].hosts.isEmpty && settings.targets[$0].role != .witness }
        adoptContradictions(old, places, at: now)
        follow(old.network, at: now)
        request(at: now)
    }

    private mutating func adoptWays(_ old: Assessor) {
        network = old.network
        (ways, wayIndex) = (old.ways, old.wayIndex)
        for way in ways.indices { ways[way].tally = Tally() }
        (usualOfWay, slowHosts) = (old.usualOfWay, old.slowHosts)
        uncharged = ways.map { _ in [] }
        referencesOfWay = ways.map { _ in [] }
        nowhereGeneration = old.nowhereGeneration
        for way in ways.indices {
            if let due = ways[way].round?.due { dueQueue.add(.round(way), at: due) }
            if let due = ways[way].rotationDue { dueQueue.add(.rotation(way), at: due) }
        }
    }

    private mutating func adoptHosts(_ old: Assessor, _ places: [Int?]) {
        (hosts, hostIndex, hostsOfWay) = (old.hosts, old.hostIndex, old.hostsOfWay)
        (freeHosts, freeWays) = (old.freeHosts, old.freeWays)
        unowned = ArraySlice(hosts.indices)
        for host in hosts.indices { hosts[host].targets = [] }
        for (target, place) in places.enumerated() {
            for host in place.map({ old.targets[$0].hosts }) ?? [] { hosts[host].targets.append(target) }
        }
    }

    private mutating func adoptNames(_ old: Assessor) {
        let known = Dictionary(old.names.map { ($0.name, $0) }) { first, _ in first }
        for name in names.indices {
            if let before = known[names[name].name] { names[name].adopt(before) }
        }
        lastGoodName = old.lastGoodName
    }

    private mutating func adopt(_ target: Int, _ before: TargetState, from old: Assessor, at now: MonotonicTime) {
        targets[target].adopt(before)
        let isCurrent =
            before.way.map { ways[$0].generation == before.generation }
            ?? (before.generation == nowhereGeneration)
        guard isCurrent, let known = before.known else { return }
        targets[target].place(nil, way: nil, generation: nowhereGeneration)
        settle(target, known, way: before.way, at: now)
    }

    private mutating func adoptContradictions(_ old: Assessor, _ places: [Int?], at now: MonotonicTime) {
        clockSince = old.clockSince
        guard let witness = old.portalWitness, let place = places.firstIndex(of: witness) else { return }
        (portalWitness, portalSince) = (place, old.portalSince)
        if portalSince != nil { dueQueue.add(.portal, at: now + Rules.apart) }
    }
}
