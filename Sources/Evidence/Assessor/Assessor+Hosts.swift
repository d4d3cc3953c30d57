internal import EventLoop
internal import NetworkAddress

/// Hosts and ways, by numbers that are used again: a name server may tell other addresses each time, and a network other
/// routers.
extension Assessor {
    // MARK: Hosts

    mutating func index(of host: Host) -> Int {
        let way = index(of: host.way)
        let key = HostKey(address: host.address, way: way)
        if let known = hostIndex[key] { return known }
        if unowned.count > Rules.unowned { forgetUnowned() }
        let number = freeHosts.popLast() ?? hosts.count
        let new = HostState(address: host.address, way: way)
        if number == hosts.count { hosts.append(new) } else { hosts[number] = new }
        hostIndex[key] = number
        hostsOfWay[way].moveToEnd(number)
        unowned.append(number)
        return number
    }

    /// Notes that a target was asked at a host.
    mutating func place(_ target: Int, at host: Int) {
        guard !targets[target].hosts.contains(host) else { return }
        if targets[target].hosts.isEmpty, settings.targets[target].role != .witness { placeless -= 1 }
        leaveOtherWays(target, to: hosts[host].address)
        targets[target].hosts.append(host)
        hosts[host].targets.append(target)
        if targets[target].hosts.count > Rules.hostsOfTarget { leave(targets[target].hosts.removeFirst(), target) }
    }

    /// A host that was asked for a word turns out to be asked by another way: its targets are looked for there.
    mutating func follow(_ old: Host, to host: Int, at now: MonotonicTime) {
        guard let way = wayIndex[old.way],
            let known = hostIndex[HostKey(address: old.address, way: way)]
        else { return }
        for target in hosts[known].targets where targets[target].ask == nil {
            place(target, at: host)
            settle(target, nil, way: nil, at: now)
            targets[target].due = nil
            plan(target, at: now)
        }
    }

    /// The kernel sends what is for an address of a target by another way now, because a router has told it so or a route has
    /// come: what is known of the old way says nothing of the target any more.
    private mutating func leaveOtherWays(_ target: Int, to address: IPAddress) {
        for old in targets[target].hosts where hosts[old].address == address {
            targets[target].hosts.removeAll { $0 == old }
            leave(old, target)
            let way = hosts[old].way
            if !ways[way].reachesAll, !hosts.contains(where: { $0.way == way && !$0.targets.isEmpty }) {
                ways[way].isUsed = false
            }
        }
    }

    /// Notes that a target may be anywhere.
    mutating func unplace(_ target: Int) {
        guard !targets[target].hosts.isEmpty else { return }
        if settings.targets[target].role != .witness { placeless += 1 }
        for host in targets[target].hosts { leave(host, target) }
        targets[target].hosts = []
    }

    private mutating func leave(_ host: Int, _ target: Int) {
        hosts[host].targets.removeAll { $0 == target }
        if hosts[host].targets.isEmpty { unowned.append(host) }
    }

    /// Forgets the hosts that have belonged to no target for longest.
    private mutating func forgetUnowned() {
        let busy = Set(open.values.lazy.flatMap(\.exchanges).map(\.host))
        for host in unowned.prefix(Rules.unowned / 2) {
            unowned.removeFirst()
            guard hosts[host].targets.isEmpty, hostIndex[HostKey(hosts[host])] == host else { continue }
            if busy.contains(host) { unowned.append(host) } else { forget(host) }
        }
    }

    private mutating func forget(_ host: Int) {
        let way = hosts[host].way
        guard !referencesOfWay[way].contains(host) else { return }
        hostIndex[HostKey(hosts[host])] = nil
        hostsOfWay[way].remove(host)
        slowHosts[way][host] = nil
        if ways[way].witness == host { ways[way].witness = nil }
        freeHosts.append(host)
    }

    // MARK: Ways

    mutating func index(of way: Way) -> Int {
        if let known = wayIndex[way] { return known }
        let number = freeWays.popLast() ?? ways.count
        if number == ways.count {
            ways.append(WayState(way))
            hostsOfWay.append(RecencyList())
            referencesOfWay.append([])
            uncharged.append([])
            usualOfWay.append(Usual())
            slowHosts.append([:])
        } else {
            // In another generation, so that what targets found over the way before it is not taken for found over this one.
            ways[number] = WayState(way, generation: ways[number].generation + 1)
            usualOfWay[number] = Usual()
        }
        wayIndex[way] = number
        ways[number].course = network.ways.first { $0.way == way } ?? Network.Course(way)
        return number
    }

    /// Forgets ways that are gone, where there have been many.
    mutating func forgetWays() {
        guard ways.count - freeWays.count > Rules.ways else { return }
        let busy = Set(open.values.lazy.flatMap(\.exchanges).map(\.way))
        for way in ways.indices where !ways[way].isPresent && wayIndex[ways[way].way] == way && !busy.contains(way) {
            for host in hosts.indices where hosts[host].way == way && hostIndex[HostKey(hosts[host])] == host {
                for target in hosts[host].targets { targets[target].hosts.removeAll { $0 == host } }
                hosts[host].targets = []
                referencesOfWay[way].removeAll { $0 == host }
                forget(host)
            }
            wayIndex[ways[way].way] = nil
            freeWays.append(way)
        }
        placeless = targets.indices.count { targets[$0].hosts.isEmpty && settings.targets[$0].role != .witness }
    }
}

extension Assessor.HostKey {
    fileprivate init(_ host: HostState) {
        self.init(address: host.address, way: host.way)
    }
}
