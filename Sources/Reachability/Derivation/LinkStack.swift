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
    /// The radios that stations connect to.
    let accessPoints: Set<UInt32>
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
        case .aggregate(let isBridge): return isBridge ? uplinkPort(of: index) : activePort(of: link)
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
        return livelier(ports.leading.union(ports.veths).union(ports.rest))
    }

    /// A live one before a dead one, of two alike one of those preferred, and else that of the lower number.
    private func livelier(_ ports: Set<UInt32>, preferring preferred: Set<UInt32> = []) -> UInt32? {
        let ranked = ports.map { (rank: (isDead($0) ? 2 : 0) + (preferred.contains($0) ? 0 : 1), index: $0) }
        return ranked.min { ($0.rank, $0.index) < ($1.rank, $1.index) }?.index
    }

    /// Whether nothing leaves by this link, by the kernel's word or by its driver's.
    private func isDead(_ index: UInt32) -> Bool {
        state.links[index]?.obstacle != nil || hasLostCarrier(index)
    }

    /// The port that a bridge leads out by; nil where that is none that says more of the way than the bridge does, such as
    /// the tap of a virtual machine.
    private func uplinkPort(of bridge: UInt32) -> UInt32? {
        let ports = index.ports(of: bridge)
        let leading = leading(ports)
        guard leading.isEmpty else { return livelier(leading, preferring: index.hardware) }
        guard let veth = livelier(outwardVeths(ports)) else { return nil }
        return isDead(veth) && !ports.rest.allSatisfy(isDead) ? nil : veth
    }

    /// The ports that lead out of a bridge: hardware, and what sits on hardware. An access point leads to its stations, and
    /// counts only where there is nothing else.
    private func leading(_ ports: LinkIndex.Ports) -> Set<UInt32> {
        let outward = ports.leading.subtracting(accessPoints)
        return outward.isEmpty ? ports.leading : outward
    }

    /// The veths that may lead out of a bridge: those that have their other end outside of this namespace, else all.
    private func outwardVeths(_ ports: LinkIndex.Ports) -> Set<UInt32> {
        let cables = ports.veths.filter { state.links[$0]?.lowerNamespaceID != nil }
        return cables.isEmpty ? ports.veths : cables
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
            case .upper, .vrf, .tunnel: continue
            case .aggregate(isBridge: true): return isCutOff(bridge: index)
            case .physical, .veth, .aggregate, .loopback, .virtual: return false
            }
        }
        return false
    }

    /// Whether what enters a link comes to a tunnel that leads nowhere: the link itself, or one that it runs over. By
    /// their own states both are well. A bond has other ports to turn to.
    func endsInTunnel(_ chain: Chain) -> Bool {
        for index in chain.indexes {
            if tunnels[index] == TunnelPath.none { return true }
            switch classify(index) {
            case .upper, .vrf, .tunnel: continue
            case .physical, .veth, .aggregate, .loopback, .virtual: return false
            }
        }
        return false
    }

    /// Without a port that leads out, any container or virtual machine may be the router.
    private func isCutOff(bridge: UInt32) -> Bool {
        let ports = index.ports(of: bridge)
        let leading = leading(ports)
        guard leading.isEmpty else { return leading.allSatisfy(isDead) }
        return ports.rest.allSatisfy(isDead) && outwardVeths(ports).allSatisfy(isDead)
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
