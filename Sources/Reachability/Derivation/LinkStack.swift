import Netlink

/// What lies under a link: the chain down to the one that packets physically leave by, and that one's medium.
package struct LinkStack: Sendable {
    package struct Chain: Hashable, Sendable {
        /// The links' numbers, the upper one first.
        package var indexes: [UInt32]
        package var medium: Medium
    }

    let state: NetworkState
    let index: LinkIndex
    /// What the drivers said of their carriers.
    let carriers: [UInt32: Bool]
    /// How tunnels' own packets leave, and those of VRFs, as far as that was found out.
    let tunnels: [UInt32: TunnelPath]

    /// What this link is by itself.
    package func classify(_ index: UInt32) -> LinkClass {
        self.index.classify(index)
    }

    /// The chain under a link. It ends where nothing more can be told, and never follows a link twice.
    package func chain(of index: UInt32) -> Chain {
        var indexes = [index]
        while let last = indexes.last, let next = beneath(last), !indexes.contains(next) { indexes.append(next) }
        return Chain(indexes: indexes, medium: medium(endingAt: indexes[indexes.count - 1]))
    }

    /// The names of a chain, as `via` lists them.
    package func names(of chain: Chain) -> [String] {
        chain.indexes.map(state.name)
    }

    private func medium(endingAt index: UInt32) -> Medium {
        switch classify(index) {
        case .physical(let medium): medium
        // What is under it belongs to another namespace: all that is seen from here is an Ethernet interface.
        case .veth: .ethernet
        case .upper: state.links[index]?.lowerNamespaceID != nil ? .ethernet : .other
        case .aggregate, .tunnel, .loopback, .vrf, .virtual: .other
        }
    }

    private func beneath(_ index: UInt32) -> UInt32? {
        guard let link = state.links[index] else { return nil }
        switch classify(index) {
        case .upper: return link.lowerNamespaceID == nil ? link.lowerIndex : nil
        case .aggregate(let isBridge): return isBridge ? livelier(uplinkPorts(of: index)) : activePort(of: link)
        case .tunnel: return tunnels[index]?.index
        case .vrf: return tunnels[index] == TunnelPath.none ? nil : tunnels[index]?.index ?? activePort(of: link)
        // The IFLA_LINK of a veth is its peer, which is beside it and not underneath.
        case .physical, .veth, .loopback, .virtual: return nil
        }
    }

    // MARK: Ports

    private func activePort(of link: LinkMessage) -> UInt32? {
        if case .bond(_, let active?) = link.details, state.links[active] != nil { return active }
        let ports = index.ports(of: link.index)
        return livelier(Array(ports.leading.union(ports.veths).union(ports.rest)))
    }

    /// A live one before a dead one, and of two alike that of the lower number.
    private func livelier(_ ports: [UInt32]) -> UInt32? {
        let ranked = ports.map { (rank: isDead($0) ? 1 : 0, index: $0) }
        return ranked.min { ($0.rank, $0.index) < ($1.rank, $1.index) }?.index
    }

    /// Whether nothing leaves by this link, by the kernel's word or by its driver's.
    private func isDead(_ index: UInt32) -> Bool {
        state.links[index]?.obstacle != nil || hasLostCarrier(index)
    }

    /// The ports that lead out of a bridge: hardware, else what sits on hardware. Of veths alone it is one, since most of
    /// them lead to containers: the first that has its other end outside of this namespace.
    private func uplinkPorts(of bridge: UInt32) -> [UInt32] {
        let ports = index.ports(of: bridge)
        let hardware = ports.leading.filter(index.hardware.contains)
        guard hardware.isEmpty else { return Array(hardware) }
        guard ports.leading.isEmpty else { return Array(ports.leading) }
        let cable = ports.veths.filter { state.links[$0]?.lowerNamespaceID != nil }.min()
        return (cable ?? ports.veths.min()).map { [$0] } ?? []
    }

    // MARK: Carrier

    /// Whether nothing gets out by a link although its own state is well: a driver underneath says so ahead of the kernel's
    /// news, or the link is a bridge that is cut off.
    ///
    /// A bridge has carrier as long as any port has it, that of a virtual machine too, and before it ever had a port
    /// (`br_carrier_check()` in the kernel's `net/bridge/br_if.c`). A bond has other ports to turn to.
    func isCutOff(_ chain: Chain) -> Bool {
        for index in chain.indexes {
            if carriers[index] == false { return true }
            switch classify(index) {
            case .upper, .vrf: continue
            case .aggregate(isBridge: true): return isCutOff(bridge: index)
            case .physical, .veth, .aggregate, .tunnel, .loopback, .virtual: return false
            }
        }
        return false
    }

    private func isCutOff(bridge: UInt32) -> Bool {
        let uplinks = uplinkPorts(of: bridge)
        guard uplinks.isEmpty else { return uplinks.allSatisfy(isDead) }
        return index.ports(of: bridge).rest.allSatisfy(isDead)
    }

    /// Whether a driver said so, of the link or of what a VLAN or macvlan sits on.
    private func hasLostCarrier(_ index: UInt32) -> Bool {
        guard !carriers.isEmpty else { return false }
        var index = index
        for _ in 0..<Self.deepest {
            if carriers[index] == false { return true }
            guard classify(index) == .upper, let link = state.links[index], link.lowerNamespaceID == nil,
                let lower = link.lowerIndex
            else { return false }
            index = lower
        }
        return false
    }

    /// So many links sit upon one another at most (`MAX_NEST_DEV` of the kernel's `linux/netdevice.h`).
    private static let deepest = 8
}
