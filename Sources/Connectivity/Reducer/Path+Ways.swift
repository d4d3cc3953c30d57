internal import Evidence
internal import NetworkAddress
internal import Reachability

/// Over which ways a path is probed, and which target by which.
extension Path {
    /// The interface that a target's probes are bound to; nil where they leave by the route, or where there is none of
    /// the medium.
    package func interface(for target: Target) -> String? {
        guard let medium = target.medium else { return target.interface }
        let families = target.family.map { [$0] } ?? AddressFamily.allCases
        let fit = interfaces.filter { interface in
            interface.medium == medium && families.contains { interface[$0].isUsable }
        }.map(\.name)
        return interfacesInUse.first { fit.contains($0) } ?? fit.first
    }

    /// Whether a target may be probed by a lane.
    func admits(_ target: Target, by lane: Lane.Key) -> Bool {
        guard lane.family == nil || target.family == nil || target.family == lane.family else { return false }
        guard let name = lane.interface else { return true }
        let medium = interface(named: name)?.medium
        return (target.interface ?? name) == name && (target.medium == nil || target.medium == medium)
    }

    /// What a lane does not lead to, where it is bound to one of several interfaces.
    func foreignLinks(of lane: Lane.Key) -> ForeignLinks? {
        guard let name = lane.interface, let family = lane.family, let own = interface(named: name) else { return nil }
        let legs = self[family].isMultipath ? self[family].legInterfaces : nil
        let others = interfaces.filter { other in
            other.name != name && other[family].isUsable && (legs?.contains(other.name) ?? true)
        }
        return others.isEmpty ? nil : ForeignLinks(own: own, others: others)
    }

    /// The ways that probes should take over it.
    func lanes(for configuration: ConnectivityConfiguration) -> [Lane.Key] {
        guard status != .unknown, !configuration.watched.isEmpty else { return [] }
        // Without a way out there still is one to those on this host's own links, and where a route of their own leads.
        guard status.isReachable else { return [.route] }
        if configuration.perInterface { return uplinks }
        let families = AddressFamily.allCases.filter { self[$0].isUsable }
        guard configuration.perFamily || families.contains(where: { self[$0].isMultipath }) else { return [.route] }
        return families.flatMap { family in
            self[family].isMultipath
                ? self[family].legInterfaces.map { Lane.Key(interface: $0, family: family) }
                : [Lane.Key(family: family)]
        }
    }

    /// How many ways probes may take over it, for what makes room for them. The legs of a multipath route are not counted.
    package func expectedLanes(for configuration: ConnectivityConfiguration) -> Int {
        configuration.perInterface ? uplinks.count : configuration.perFamily ? 2 : 1
    }

    /// Each interface that could carry traffic out, in each family in which it could.
    var uplinks: [Lane.Key] {
        interfaces.flatMap { interface in
            AddressFamily.allCases.filter { interface[$0].isUsable }
                .map { Lane.Key(interface: interface.name, family: $0) }
        }
    }

    /// Whether traffic that is not bound leaves this way.
    func isActive(_ lane: Lane.Key) -> Bool {
        (lane.interface == nil && (ipv4.isUsable || ipv6.isUsable))
            || (lane.family != .ipv6 && ipv4.isUsable && ipv4.interface == lane.interface)
            || (lane.family != .ipv4 && ipv6.isUsable && ipv6.interface == lane.interface)
            || isLeg(lane)
    }

    /// Whether a lane goes by one leg of a multipath route.
    func isLeg(_ lane: Lane.Key) -> Bool {
        guard let name = lane.interface else { return false }
        let families = lane.family.map { [$0] } ?? AddressFamily.allCases
        return families.contains { self[$0].isMultipath && self[$0].legInterfaces.contains(name) }
    }

    /// The interfaces that have another name than over another path: the same ones, by their numbers and addresses. A number
    /// alone may have been given to another since.
    func renamed(since old: Path) -> [(old: String, new: String)] {
        interfaces.compactMap { interface in
            guard let before = old.interface(withIndex: interface.index),
                before.name != interface.name, !before.addresses.isEmpty,
                before.addresses.map(\.address) == interface.addresses.map(\.address)
            else { return nil }
            return (before.name, interface.name)
        }
    }

    /// Whether a bound target's probes leave by another interface than over another path, or by one that is otherwise now.
    func hasOther(interfaceFor target: Target, than old: Path) -> Bool {
        let name = interface(for: target)
        guard name == old.interface(for: target) else { return true }
        let (new, before) = (name.flatMap(interface(named:)), name.flatMap(old.interface(named:)))
        return new?.ipv4 != before?.ipv4 || new?.ipv6 != before?.ipv6
    }
}

// MARK: As the model wants to know them

extension WatchedPath {
    /// The ways of a lane, as the model wants to know them.
    ///
    /// - Parameters:
    ///   - results: The latest results of the lane's targets, which tell where those are that have a name.
    ///   - former: Where names have led in lanes that are gone.
    func network(for lane: Lane.Key, _ results: LatestResults, _ former: [Int: IPAddress]) -> Network {
        let families = lane.family.map { [$0] } ?? AddressFamily.allCases
        // What no target may use is no way to anywhere; a name server may still be behind it.
        let general = path.status.isReachable ? families.filter(places.families.contains) : []
        // Where all are bound to one interface, that is their way to anywhere, whatever the route says.
        let interface = lane.interface ?? onlyInterface
        var courses = general.flatMap { path.generalWays(by: interface, $0, configuration) }
        for family in families {
            for way in path.linkWays(of: lane, family) where !courses.contains(where: { $0.way == way }) {
                courses.append(Network.Course(way, below: path.below(way.interface)))
            }
        }
        var network = Network(isReachable: path.status.isReachable, ways: courses, nameServers: path.nameServers)
        network.asksEachServer = false
        guard !path.status.isReachable else { return network }
        let link = OwnLinks(path)
        for (place, target) in results.members.enumerated()
        where places.isNear(target, by: link, last: results.address(of: place) ?? former[target]) {
            network.near.insert(place)
        }
        return network
    }
}

extension Path {
    /// The ways by which traffic to anywhere leaves.
    fileprivate func generalWays(
        by interface: String?, _ family: AddressFamily, _ configuration: ConnectivityConfiguration
    ) -> [Network.Course] {
        var found: [(interface: String, gateway: IPAddress?, via: [String])] = []
        if let name = interface {
            guard let interface = self.interface(named: name), interface[family].isUsable else { return [] }
            found = [(name, interface[family].gateway, interface.via)]
        } else if self[family].isMultipath {
            found = self[family].legs.filter(\.isUsable).map { ($0.interface, $0.gateway, []) }
        } else if self[family].isUsable, let name = self[family].interface {
            found = [(name, self[family].gateway, self[family].via)]
        }
        // What all goes through may be dead while the link that carries it lives.
        for under in found.flatMap({ isTunnel($0.interface) ? $0.via.dropFirst() : [] }) {
            guard let link = self.interface(named: under), link[family].isUsable else { continue }
            found.append((under, link[family].gateway, link.via))
        }
        return found.map { interface, gateway, via in
            var course = Network.Course(
                Way(interface: interface, gateway: gateway, family: family), reachesAll: true,
                below: isTunnel(interface) ? Array(via.dropFirst()) : [])
            let isCostly = configuration.metered.contains(interface)
            course.isMetered = isCostly || self.interface(named: interface)?.medium == .wwan
            course.stretch = isCostly ? ConnectivityConfiguration.meteredFactor : 1
            return course
        }
    }

    /// Whether an interface has packets of its own that leave by another one: what is stacked otherwise, as a bridge or a
    /// bond, has no way of its own below it.
    private func isTunnel(_ name: String) -> Bool {
        guard let kind = interface(named: name)?.kind else { return false }
        return ![
            "bond", "bridge", "team", "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec", "virt_wifi", "veth",
            "netkit", "dummy", "vrf", "ifb",
        ].contains(kind)
    }

    /// What a link's packets leave by in the end where it is a tunnel.
    fileprivate func below(_ name: String) -> [String] {
        isTunnel(name) ? Array(interface(named: name)?.via.dropFirst() ?? []) : []
    }

    /// The ways to this host's own links, and to itself.
    fileprivate func linkWays(of lane: Lane.Key, _ family: AddressFamily) -> [Way] {
        let own = interfaces.filter { interface in
            (lane.interface == nil || lane.interface == interface.name) && interface.isUp && interface.hasCarrier
                && interface.addresses.contains { $0.address.family == family }
        }
        return own.map { Way(interface: $0.name, family: family) } + [Way(interface: "lo", family: family)]
    }
}

extension FamilyPath {
    /// The interfaces of a multipath route's legs that could carry traffic, each once.
    package var legInterfaces: [String] {
        var names: [String] = []
        for leg in legs where leg.isUsable && !names.contains(leg.interface) { names.append(leg.interface) }
        return names
    }

    /// Whether traffic leaves by several interfaces at once, which binding tells apart.
    var isMultipath: Bool { isUsable && legInterfaces.count > 1 }
}
