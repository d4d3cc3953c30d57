internal import Evidence
internal import NetworkAddress
internal import Reachability

extension Path {
    /// The ways of a lane, as the model wants to know them.
    ///
    /// - Parameters:
    ///   - places: Where the configuration's targets are.
    ///   - results: The latest results of the lane's targets, which tell where those are that have a name.
    func network(
        for lane: Lane.Key, _ configuration: ConnectivityConfiguration, _ places: TargetPlaces,
        _ results: LatestResults
    ) -> Network {
        let families = lane.family.map { [$0] } ?? AddressFamily.allCases
        // What no target may use is no way to anywhere; a name server may still be behind it.
        let general = status.isReachable ? families.filter(places.families.contains) : []
        // Where all are bound to one interface, that is their way to anywhere, whatever the route says.
        let interface = lane.interface ?? places.onlyInterface(over: self)
        var courses = general.flatMap { generalWays(by: interface, $0, configuration) }
        for family in families {
            for way in linkWays(of: lane, family) where !courses.contains(where: { $0.way == way }) {
                courses.append(Network.Course(way, below: below(way.interface)))
            }
        }
        var network = Network(isReachable: status.isReachable, ways: courses, nameServers: nameServers)
        network.asksEachServer = false
        guard !status.isReachable else { return network }
        let link = OwnLink(self)
        for (place, target) in results.members.enumerated() {
            if places.isNear(target, by: link, last: results.address(of: place)) { network.near.insert(place) }
        }
        return network
    }

    /// The ways by which traffic to anywhere leaves.
    private func generalWays(
        by interface: String?, _ family: AddressFamily, _ configuration: ConnectivityConfiguration
    ) -> [Network.Course] {
        var found: [(interface: String, gateway: IPAddress?, via: [String])] = []
        if let name = interface {
            guard let interface = interfaces.first(where: { $0.name == name }), interface[family].isUsable else {
                return []
            }
            found = [(name, interface[family].gateway, interface.via)]
        } else if self[family].isMultipath {
            found = self[family].legs.filter(\.isUsable).map { ($0.interface, $0.gateway, []) }
        } else if self[family].isUsable, let name = self[family].interface {
            found = [(name, self[family].gateway, self[family].via)]
        }
        // What all goes through may be dead while the link that carries it lives.
        for under in found.flatMap({ isTunnel($0.interface) ? $0.via.dropFirst() : [] }) {
            guard let link = interfaces.first(where: { $0.name == under }), link[family].isUsable else { continue }
            found.append((under, link[family].gateway, link.via))
        }
        return found.map { interface, gateway, via in
            var course = Network.Course(
                Way(interface: interface, gateway: gateway, family: family), reachesAll: true,
                below: isTunnel(interface) ? Array(via.dropFirst()) : [])
            let isCostly = configuration.metered.contains(interface)
            course.isMetered = isCostly || interfaces.first { $0.name == interface }?.medium == .wwan
            course.stretch = isCostly ? ConnectivityConfiguration.meteredFactor : 1
            return course
        }
    }

    /// Whether an interface has packets of its own that leave by another one: what is stacked otherwise, as a bridge or a
    /// bond, has no way of its own below it.
    private func isTunnel(_ name: String) -> Bool {
        guard let kind = interfaces.first(where: { $0.name == name })?.kind else { return false }
        return !["bond", "bridge", "team", "vlan", "macvlan", "ipvlan", "veth", "dummy", "vrf", "ifb"].contains(kind)
    }

    /// What a link's packets leave by in the end where it is a tunnel.
    private func below(_ name: String) -> [String] {
        isTunnel(name) ? Array(interfaces.first { $0.name == name }?.via.dropFirst() ?? []) : []
    }

    /// The ways to this host's own links, and to itself.
    private func linkWays(of lane: Lane.Key, _ family: AddressFamily) -> [Way] {
        let own = interfaces.filter { interface in
            (lane.interface == nil || lane.interface == interface.name) && interface.isUp && interface.hasCarrier
                && interface.addresses.contains { $0.address.family == family }
        }
        return own.map { Way(interface: $0.name, family: family) } + [Way(interface: "lo", family: family)]
    }
}
