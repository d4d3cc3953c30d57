import Netlink
import NetworkAddress

/// What lies under a tunnel, of which the kernel tells no lower device.
///
/// A tunnel that names its remote end is followed by the route to that, WireGuard to its peer. It tells its peers to
/// administrators only, but `wg-quick(8)` sets a rule for all packets *without* the mark of its own: with that mark, the look-up tells their
/// way. A tunnel about which nothing is known (a VPN in user space) leaves by the best uplink beside it.
extension PathDerivation {
    /// How the own packets of each tunnel leave that could carry a path.
    func tunnelPaths() throws(NetlinkError) -> [UInt32: TunnelPath] {
        let tunnels = table.tunnels.compactMap { state.links[$0] }
        // Each name is looked for once: a concentrator has thousands of lines over one device.
        var numbers: [String: UInt32] = [:]
        let names = Set(tunnels.compactMap { surroundings.facts[$0.index]?.lowerName })
        for name in names { numbers[name] = state.index(name) }
        var paths: [UInt32: TunnelPath] = [:]
        for link in tunnels {
            let lower = surroundings.facts[link.index]?.lowerName.flatMap { numbers[$0] }
            paths[link.index] = try path(under: link, over: lower)
        }
        return paths
    }

    /// Where the packets leave that are sent to a VRF: the kernel's answer to a look-up with the VRF for the device names the
    /// port.
    func path(under vrf: UInt32) throws(NetlinkError) -> TunnelPath {
        var isAnswered = false
        for destination in question.destinations {
            let index = try judge(destination, by: vrf).path.interfaceIndex
            if let index, state.links[index]?.controllerIndex == vrf { return .by(index) }
            isAnswered = isAnswered || index != nil
        }
        return isAnswered ? .unknown : .none
    }

    /// - Parameter lower: The device underneath, where something else than netlink tells it.
    private func path(under link: LinkMessage, over lower: UInt32?) throws(NetlinkError) -> TunnelPath {
        guard link.lowerNamespaceID == nil else { return .unknown }
        if let lower { return isAlive(lower) ? .by(lower) : .none }
        if case .tunnel(let local, let remote?, let device, let mark) = link.details {
            // To a group no route is followed: the packets leave by the device that the tunnel is bound to.
            if remote.isMulticast {
                guard let device else { return .unknown }
                return isAlive(device) ? .by(device) : .none
            }
            var query = Self.ownPackets(to: remote, by: device, mark: mark)
            if let local, local.family == remote.family, !local.isUnspecified {
                // IPv4's look-up refuses a source that is not this host's. IPv6's takes it, and the tunnel does not.
                if local.family == .ipv6, !isOwn(local) { return .none }
                query.source = local
            }
            return try path(of: query, besides: link.index) ?? .none
        }
        if link.kind == "wireguard", let path = try endpointPath(of: link.index) { return path }
        if link.kind == "wireguard", let marked = try markedPath(besides: link.index) { return marked }
        let path = try uplinkBeside(link.index)
        // What a line by PPP runs over may be none of these: a serial port, ATM, a session in user space.
        return link.isLine && path == .none ? .unknown : path
    }

    /// The question about packets that the kernel makes for a tunnel: they belong to no user, and rules by
    /// user take them for root's.
    private static func ownPackets(to remote: IPAddress, by device: UInt32? = nil, mark: UInt32?) -> RouteQuery {
        var query = RouteQuery(destination: remote, outputInterface: device, mark: mark)
        query.userID = 0
        return query
    }

    /// Whether a link has this address.
    private func isOwn(_ local: IPAddress) -> Bool {
        state.addresses.values.joined().contains { $0.address == local }
    }

    /// The way to the peers that the questions' packets are sent to; nil where none is known.
    private func endpointPath(of tunnel: UInt32) throws(NetlinkError) -> TunnelPath? {
        guard let device = surroundings.wireGuards?[tunnel] else { return nil }
        let endpoints = device.endpoints(for: question.destinations)
        for endpoint in endpoints {
            let query = Self.ownPackets(to: endpoint, mark: device.mark)
            guard let path = try path(of: query, besides: tunnel) else { continue }
            // A program of this host's own hands them on: where to is not told.
            if case .by(let index) = path, table.stack.classify(index) == .loopback { return nil }
            return path
        }
        guard !endpoints.isEmpty else { return nil }
        // Its socket is in the namespace that it was made in: where no uplink is here, that is another one.
        return uplinks(besides: tunnel).isEmpty ? .unknown : TunnelPath.none
    }

    /// The way of packets with the mark that a rule excepts from a tunnel's table; nil where no rule does.
    private func markedPath(besides tunnel: UInt32) throws(NetlinkError) -> TunnelPath? {
        let marks = Set(state.rules.filter(\.isInverted).compactMap(\.mark)).sorted()
        for mark in marks {
            for destination in question.destinations {
                let query = Self.ownPackets(to: destination, mark: mark)
                if let path = try path(of: query, besides: tunnel) { return path }
            }
        }
        return marks.isEmpty ? nil : TunnelPath.none
    }

    /// Where a packet leaves, unless it leaves nowhere, or by the tunnel itself.
    private func path(of query: RouteQuery, besides tunnel: UInt32) throws(NetlinkError) -> TunnelPath? {
        let path = try judge(query).path
        guard path.isUsable, let index = path.interfaceIndex, index != tunnel else { return nil }
        return .by(index)
    }

    /// The uplink that carries a tunnel of unknown ends: one that has a route of its own, else one that at least works,
    /// since the tunnel may have a host route to its server and nothing else.
    private func uplinkBeside(_ tunnel: UInt32) throws(NetlinkError) -> TunnelPath {
        let uplinks = uplinks(besides: tunnel)
        guard !uplinks.isEmpty else { return .unknown }
        let alive = uplinks.filter { isAlive($0.index) && table.row(of: $0.index)?.hindrance == nil }
        var best: (metric: UInt32, index: UInt32)?
        for link in alive {
            for destination in question.destinations {
                let path = try judge(destination, by: link.index).path
                let metric = path.metric ?? .max
                guard path.isUsable, best == nil || metric < best?.metric ?? .max else { continue }
                best = (metric, link.index)
            }
        }
        let fallback = alive.first { state.addresses[$0.index]?.contains { !$0.address.isLinkLocal } == true }
        return (best?.index ?? fallback?.index).map(TunnelPath.by) ?? .none
    }

    /// The links that could carry a tunnel.
    private func uplinks(besides tunnel: UInt32) -> [LinkMessage] {
        let isAmongLines = state.links[tunnel]?.isLine ?? false
        let candidates = table.index.aggregates.union(table.candidates.map(\.index)).sorted()
        return candidates.compactMap { state.links[$0] }.filter {
            $0.index != tunnel && isUplink($0) && !(isAmongLines && $0.isLine)
        }
    }

    private func isAlive(_ index: UInt32) -> Bool {
        state.links[index]?.obstacle == nil && surroundings.carriers[index] != false
    }

    private func isUplink(_ link: LinkMessage) -> Bool {
        switch table.stack.classify(link.index) {
        case .physical: true
        case .veth, .upper: link.controllerIndex == nil && state.addresses[link.index] != nil
        case .aggregate: link.controllerIndex == nil && state.addresses[link.index] != nil && leadsOut(link.index)
        case .tunnel: link.isLine && state.addresses[link.index] != nil
        case .loopback, .vrf, .virtual: false
        }
    }

    /// Whether anything but containers is behind a bridge or a bond.
    private func leadsOut(_ aggregate: UInt32) -> Bool {
        surroundings.ways?.contains(aggregate) == true || !table.index.ports(of: aggregate).leading.isEmpty
    }
}

extension IPAddress {
    /// Whether it means a group of hosts (RFC 5771, RFC 4291 section 2.7).
    fileprivate var isMulticast: Bool {
        switch self {
        case .v4(let address): address.rawValue >> 28 == 0xE
        case .v6(let address): address.rawValue >> 120 == 0xFF
        }
    }
}
