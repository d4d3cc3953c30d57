import Netlink
import NetworkAddress

/// All that a derivation needs to know of the links and that no answer of the kernel changes.
///
/// It is made when links, addresses or what surrounds them have changed, and serves all derivations until they do again:
/// never changed, and therefore shared.
final class LinkTable: Sendable {
    let state: NetworkState
    let stack: LinkStack
    /// Whether rules look at the device that is asked with, so that the answer is another one.
    let hasDeviceRules: Bool
    /// In the order of their numbers.
    let rows: [LinkRow]
    /// Where the links are in ``rows`` that could be ways out.
    let candidates: [Int]
    /// The tunnels that are up, by number.
    let tunnels: [UInt32]
    /// The WireGuard links that are up.
    let wireGuards: [LinkMessage]
    /// The numbers of ``rows``.
    private let indexes: [UInt32]
    private let holders: [AddressHolder]

    /// - Parameter tunnels: How tunnels' own packets leave, as far as that was found out.
    init(_ state: NetworkState, _ surroundings: Surroundings, tunnels: [UInt32: TunnelPath] = [:]) {
        self.state = state
        let stack = LinkStack(state: state, facts: surroundings.facts, tunnels: tunnels)
        self.stack = stack
        hasDeviceRules = state.rules.contains { $0.outputInterface != nil }
        rows = state.links.keys.sorted().compactMap { index in
            state.links[index].map { LinkRow($0, stack, surroundings) }
        }
        candidates = rows.indices.filter { [rows] in rows[$0].role != .bystander }
        self.tunnels = rows.filter { $0.isUp && stack.classify($0.index) == .tunnel }.map(\.index)
        wireGuards = state.wireGuards
        indexes = rows.map(\.index)
        holders = state.addresses.values.joined().map(AddressHolder.init)
    }

    /// Where a link is in ``rows``; nil where it is not known (any more).
    private func position(of index: UInt32) -> Int? {
        var (low, high) = (0, indexes.count)
        while low < high {
            let middle = (low + high) / 2
            if indexes[middle] < index { low = middle + 1 } else { high = middle }
        }
        return low < indexes.count && indexes[low] == index ? low : nil
    }

    func row(of index: UInt32) -> LinkRow? { position(of: index).map { rows[$0] } }

    /// The link's name, or its number where it is not known (any more).
    func name(of index: UInt32) -> String { row(of: index)?.name ?? "#\(index)" }

    /// Where the links are that a path leaves by, the upper one first.
    func positions(under index: UInt32) -> [Int] {
        guard let position = position(of: index) else { return [] }
        return rows[position].chain.indexes.compactMap(self.position)
    }

    /// Who has this address; nil where no link has it.
    func holder(of address: IPAddress) -> AddressHolder? {
        holders.first { $0.address == address }
    }
}

/// An address of some link, as a source of packets.
struct AddressHolder {
    let address: IPAddress
    /// Why nothing can be answered that is sent with it; nil where it can.
    let obstacle: PathReason?

    init(_ message: AddressMessage) {
        address = message.address
        obstacle =
            message.flags.contains(.duplicateDetected)
            ? .duplicateAddress : message.isBeingChecked ? .tentative : nil
    }
}

/// One link: what it is, what stands in its way, and what lies under it. Never changed, and therefore shared.
final class LinkRow: Sendable {
    enum Role {
        /// A way out by its nature, whether it works now or not.
        case uplink
        /// A way out only if the kernel would use it as one.
        case candidate
        /// Not worth asking about.
        case bystander
    }

    let index: UInt32
    let name: String
    let role: Role
    let chain: LinkStack.Chain
    /// The names of the chain.
    let via: [String]
    /// The bridge, bond or VRF that it belongs to.
    let controllerIndex: UInt32?
    let isUp: Bool
    /// Why nothing can leave by this link, as far as its own state tells.
    let obstacle: PathReason?
    /// The same with what drivers say, and with what lies under a tunnel.
    let hindrance: PathReason?
    /// What is missing for a route of each family; nil where nothing is.
    private let missingIPv4: PathReason?
    private let missingIPv6: PathReason?
    /// The link as an interface that has no way out yet.
    let interface: Interface

    init(_ link: LinkMessage, _ stack: LinkStack, _ surroundings: Surroundings) {
        let chain = stack.chain(of: link.index)
        index = link.index
        name = link.name
        role = stack.role(of: link, chain)
        self.chain = chain
        via = stack.names(of: chain)
        controllerIndex = link.controllerIndex
        isUp = link.flags.contains(.up)
        obstacle = link.obstacle
        hindrance = stack.hindrance(of: link, chain, surroundings.carriers)
        missingIPv4 = stack.state.missingAddress(link, .ipv4)
        missingIPv6 = stack.state.missingAddress(link, .ipv6)
        interface = Interface(link, chain, via, stack.state, surroundings)
    }

    func missingAddress(_ family: AddressFamily) -> PathReason? {
        switch family {
        case .ipv4: missingIPv4
        case .ipv6: missingIPv6
        }
    }
}

extension LinkStack {
    fileprivate func role(of link: LinkMessage, _ chain: Chain) -> LinkRow.Role {
        let isAddressed = state.hasOwnAddress(link.index)
        switch classify(link.index) {
        case .loopback: return .bystander
        case .physical: return .uplink
        // A port of a bridge carries the bridge's traffic, and has no way of its own.
        case .veth, .upper: return isAddressed && link.controllerIndex == nil ? .uplink : .bystander
        case .tunnel: return isAddressed ? .uplink : .bystander
        case .aggregate: return isHardware(chain.indexes.last) ? .uplink : (isAddressed ? .candidate : .bystander)
        case .virtual: return isAddressed ? .candidate : .bystander
        }
    }

    private func isHardware(_ index: UInt32?) -> Bool {
        if let index, case .physical = classify(index) { true } else { false }
    }

    fileprivate func hindrance(of link: LinkMessage, _ chain: Chain, _ carriers: [UInt32: Bool]) -> PathReason? {
        if let obstacle = link.obstacle {
            return obstacle == .noCarrier && classify(link.index) == .tunnel ? .tunnelWithoutCarrier : obstacle
        }
        if tunnels[link.index] == TunnelPath.none { return .tunnelWithoutPath }
        // The carrier's own answer may be ahead of the kernel's news.
        return hasLostCarrier(chain, carriers) ? .noCarrier : nil
    }

    /// Whether a driver said so, of the link or of what a VLAN or macvlan sits on. A bond has other ports to turn to.
    private func hasLostCarrier(_ chain: Chain, _ carriers: [UInt32: Bool]) -> Bool {
        guard !carriers.isEmpty else { return false }
        let end = chain.indexes.firstIndex { classify($0) != .upper } ?? chain.indexes.count - 1
        return chain.indexes[...end].contains { carriers[$0] == false }
    }
}

extension NetworkState {
    fileprivate func hasOwnAddress(_ index: UInt32) -> Bool {
        addresses[index]?.contains { !$0.address.isLinkLocal } == true
    }

    /// Without an address there is no route to speak of: the address is what is missing.
    fileprivate func missingAddress(_ link: LinkMessage, _ family: AddressFamily) -> PathReason? {
        let addresses = addresses(link.index, family).filter { !$0.address.isLinkLocal }
        if addresses.isEmpty { return link.flags.contains(.noARP) ? nil : .noAddress }
        if addresses.contains(where: { $0.flags.contains(.duplicateDetected) }) { return .duplicateAddress }
        return addresses.allSatisfy(\.isBeingChecked) ? .tentative : nil
    }
}

extension Interface {
    fileprivate init(
        _ link: LinkMessage, _ chain: LinkStack.Chain, _ via: [String], _ state: NetworkState,
        _ surroundings: Surroundings
    ) {
        var device = Device(
            index: link.index, name: link.name, medium: chain.medium, via: via,
            operationalState: link.operationalState.word, isUp: link.flags.contains(.up),
            hasCarrier: link.flags.contains(.lowerUp) && surroundings.carriers[link.index] != false)
        device.alternativeNames = link.alternativeNames
        device.kind = link.kind
        device.hardwareAddress = link.hardwareAddress
        device.mtu = link.mtu
        device.wireless = surroundings.wireless[link.index].map(WirelessDetails.init)
        device.speed = surroundings.speeds[link.index].flatMap { $0 == 0 ? nil : $0 }
        device.addresses = (state.addresses[link.index] ?? []).map(InterfaceAddress.init)
        self.init(device)
    }
}
