import Netlink

/// What lies under a link: the chain down to the one that packets physically leave by, and that one's medium.
package struct LinkStack: Sendable {
    package struct Chain: Hashable, Sendable {
        /// The links' numbers, the upper one first.
        package var indexes: [UInt32]
        package var medium: Medium
    }

    let state: NetworkState
    /// How tunnels' own packets leave, as far as that was found out.
    let tunnels: [UInt32: TunnelPath]
    private let classes: [UInt32: LinkClass]

    init(state: NetworkState, facts: [UInt32: LinkFacts], tunnels: [UInt32: TunnelPath]) {
        self.state = state
        self.tunnels = tunnels
        classes = state.links.mapValues { MediumClassifier.classify($0, facts[$0.index] ?? LinkFacts()) }
    }

    /// What this link is by itself.
    package func classify(_ index: UInt32) -> LinkClass {
        classes[index] ?? .virtual
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
        case .aggregate, .tunnel, .loopback, .virtual: .other
        }
    }

    private func beneath(_ index: UInt32) -> UInt32? {
        guard let link = state.links[index] else { return nil }
        switch classify(index) {
        case .upper: return link.lowerNamespaceID == nil ? link.lowerIndex : nil
        case .aggregate(let isBridge): return isBridge ? uplinkPort(of: link) : activePort(of: link)
        case .tunnel: return tunnels[index]?.index
        // The IFLA_LINK of a veth is its peer, which is beside it and not underneath.
        case .physical, .veth, .loopback, .virtual: return nil
        }
    }

    private func activePort(of link: LinkMessage) -> UInt32? {
        if case .bond(_, let active?) = link.details, state.links[active] != nil { return active }
        let ports = state.ports(of: link.index)
        return (ports.first { $0.obstacle == nil } ?? ports.first)?.index
    }

    /// The port that leads out of a bridge: hardware before a container's link, a live one before a dead one.
    private func uplinkPort(of link: LinkMessage) -> UInt32? {
        let ports = state.ports(of: link.index)
        let ranked = ports.compactMap { port in rank(port).map { (rank: $0, index: port.index) } }
        return ranked.min { ($0.rank, $0.index) < ($1.rank, $1.index) }?.index
    }

    private func rank(_ port: LinkMessage) -> Int? {
        let isDead = port.obstacle == nil ? 0 : 1
        switch classify(port.index) {
        case .physical: return isDead
        case .upper, .aggregate: return 2 + isDead
        case .veth: return 4 + isDead
        case .tunnel, .loopback, .virtual: return nil
        }
    }
}
