internal import EventLoop
internal import NetworkAddress

/// Hosts and ways, by numbers that are used again: a name server may tell other addresses each time, and a network other
/// routers.
extension Assessor {
    // MARK: Hosts

    mutating func index(of host: Host) -> Int {
        let way = index(of: host.way)
        if let known = hosts.index(of: host.address, by: way) { return known }
        forgetUnowned()
        let number = hosts.add(host.address, by: way)
        ways[way].hosts.moveToEnd(number)
        return number
    }

    /// Notes that a target was asked at a host.
    mutating func place(_ target: Int, at host: Int, at now: MonotonicTime) {
        guard !targets[target].hosts.contains(host) else { return }
        if targets[target].hosts.isEmpty, settings.targets[target].role != .witness { placeless -= 1 }
        leaveOtherWays(target, to: hosts[host].address)
        targets[target].hosts.append(host)
        hosts.give(host, to: target)
        if ways[hosts[host].way].isDead { forgetMoved(target, at: now) }
        guard targets[target].hosts.count > Rules.hostsOfTarget else { return }
        hosts.take(targets[target].hosts.removeFirst(), from: target)
    }

    /// A host that was asked for a word turns out to be asked by another way: its targets are looked for there.
    mutating func follow(_ old: Host, to host: Int, at now: MonotonicTime) {
        guard let way = ways.index(of: old.way),
            let known = hosts.index(of: old.address, by: way)
        else { return }
        let moved = hosts[known].targets
        guard !moved.isEmpty else { return }
        for target in moved where targets[target].ask == nil {
            place(target, at: host, at: now)
            settle(target, nil, way: nil, at: now)
            targets[target].due = nil
            plan(target, at: now)
        }
        awaitOthers(at: now)
        askOthers(of: way, at: now)
    }

    /// Where one target of a dead way has another one now, others may have it, too: a few dozen are asked where they are.
    private mutating func askOthers(of way: Int, at now: MonotonicTime) {
        guard ways[way].isDead else { return }
        var (next, steps) = (ways[way].hosts.first, 0)
        while let host = next, steps < Rules.rotated {
            for target in hosts[host].targets where !targets[target].isWanted && targets[target].ask == nil {
                targets[target].isWanted = true
                plan(target, at: now)
            }
            (next, steps) = (ways[way].hosts.after(host), steps + 1)
        }
    }

    /// What was found of a target by a way that does not lead to it any more does not hold where the way that does is dead.
    mutating func forgetMoved(_ target: Int, at now: MonotonicTime) {
        guard let way = targets[target].way, !targets[target].hosts.contains(where: { hosts[$0].way == way }) else {
            return
        }
        settle(target, nil, way: nil, at: now)
    }

    /// The kernel sends what is for an address of a target by another way now, because a router has told it so or a route has
    /// come: what is known of the old way says nothing of the target any more.
    private mutating func leaveOtherWays(_ target: Int, to address: IPAddress) {
        for old in targets[target].hosts where hosts[old].address == address { leave(old, by: target) }
    }

    /// A name leads elsewhere now, and the target was found there: the dead ways of their own that the name led by before say
    /// nothing of the target any more.
    mutating func leaveDeadWays(_ target: Int) {
        guard targets[target].hosts.count > 1, let name = names.index(of: target) else { return }
        let addresses = names[name].addresses
        let left = targets[target].hosts.filter { host in
            let way = hosts[host].way
            return ways[way].isDead && !ways[way].reachesAll && !addresses.contains(hosts[host].address)
        }
        for host in left { leave(host, by: target) }
        if !left.isEmpty { isNews = true }
    }

    private mutating func leave(_ host: Int, by target: Int) {
        targets[target].hosts.removeAll { $0 == host }
        hosts.take(host, from: target)
        let way = hosts[host].way
        if !ways[way].reachesAll, !hosts.contains(where: { $0.way == way && !$0.targets.isEmpty }) {
            ways[way].isUsed = false
            // It is not asked any more, and may live by the time that something leads by it again.
            if ways[way].isDead { ways[way].reset() }
        }
    }

    /// Notes that a target may be anywhere.
    mutating func unplace(_ target: Int) {
        guard !targets[target].hosts.isEmpty else { return }
        if settings.targets[target].role != .witness { placeless += 1 }
        for host in targets[target].hosts { hosts.take(host, from: target) }
        targets[target].hosts = []
    }

    /// Forgets the hosts that have belonged to no target for longest.
    private mutating func forgetUnowned() {
        let unowned = hosts.takeUnowned()
        guard !unowned.isEmpty else { return }
        let busy = Set(open.values.lazy.flatMap(\.exchanges).map(\.host))
        for host in unowned { if busy.contains(host) { hosts.keep(host) } else { forget(host) } }
    }

    private mutating func forget(_ host: Int) {
        let way = hosts[host].way
        guard !ways[way].references.contains(host) else { return }
        ways[way].forget(host)
        hosts.remove(host)
    }

    // MARK: Ways

    mutating func index(of way: Way) -> Int {
        if let known = ways.index(of: way) { return known }
        let number = ways.add(way)
        let underlying = way.underlying.flatMap { underlying in network.ways.first { $0.way == underlying } }
        ways[number].course =
            network.ways.first { $0.way == way } ?? underlying?.throughTranslator(way) ?? network.particular(way)
        prepareTranslatedReferences(of: number)
        return number
    }

    /// What leads to the translator that a way leads through; nil where it leads through none.
    func underlying(_ way: Int) -> Int? { ways[way].way.underlying.flatMap { ways.index(of: $0) } }

    /// The ways that lead through a translator at the end of one.
    func translated(from way: Int) -> [Int] {
        guard ways[way].way.family == .ipv6, ways[way].way.translator == nil else { return [] }
        return ways.indices.filter { ways[$0].isPresent && ways[$0].way.underlying == ways[way].way }
    }

    /// Forgets ways that are gone, where there have been many.
    mutating func forgetWays() {
        guard ways.known > Rules.ways else { return }
        let busy = Set(open.values.lazy.flatMap(\.exchanges).map(\.way))
        for way in ways.indices where !ways[way].isPresent && ways.isKnown(way) && !busy.contains(way) {
            for host in hosts.indices where hosts[host].way == way && hosts.isKnown(host) {
                for target in hosts[host].targets { targets[target].hosts.removeAll { $0 == host } }
                hosts[host].targets = []
                ways[way].references.removeAll { $0 == host }
                forget(host)
            }
            ways.remove(way)
        }
        placeless = targets.indices.count { targets[$0].hosts.isEmpty && settings.targets[$0].role != .witness }
    }
}
