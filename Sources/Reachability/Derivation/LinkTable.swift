import Netlink
import NetworkAddress

/// All that a derivation needs to know of the links and that no answer of the kernel changes.
///
/// It is made when links, addresses or what surrounds them have changed, and serves all derivations until they do again:
/// never changed, and therefore shared. It takes no look at links that a path does not lead over and could not.
final class LinkTable: Sendable {
    let state: NetworkState
    let index: LinkIndex
    let stack: LinkStack
    /// Whether rules look at the device that is asked with, so that the answer is another one.
    let hasDeviceRules: Bool
    /// The links that could be ways out, in the order of their numbers.
    let candidates: [LinkRow]
    /// The tunnels that are up, by number.
    let tunnels: [UInt32]

    private let surroundings: Surroundings
    private let rows: [UInt32: LinkRow]

    /// - Parameter tunnels: How tunnels' own packets leave, as far as that was found out.
    init(
        _ state: NetworkState, _ index: LinkIndex, _ surroundings: Surroundings,
        tunnels: [UInt32: TunnelPath] = [:]
    ) {
        self.state = state
        self.index = index
        self.surroundings = surroundings
        let stack = LinkStack(
            state: state, index: index, carriers: surroundings.carriers, accessPoints: surroundings.accessPoints,
            tunnels: tunnels)
        self.stack = stack
        hasDeviceRules = state.rules.contains { $0.outputInterface != nil }
        let roles = Roles(stack, ways: surroundings.ways)
        candidates = roles.candidates.sorted().compactMap { number in
            state.links[number].map { LinkRow($0, roles.role(of: number), stack, surroundings) }
        }
        rows = Dictionary(uniqueKeysWithValues: candidates.map { ($0.index, $0) })
        self.tunnels = index.tunnels.sorted()
    }

    /// What is to be known of a link; nil where it is not known (any more).
    func row(of index: UInt32) -> LinkRow? {
        rows[index] ?? state.links[index].map { LinkRow($0, .bystander, stack, surroundings) }
    }

    /// The link's name, or its number where it is not known (any more).
    func name(of index: UInt32) -> String { state.name(index) }

    /// The links that a path leaves by, the upper one first.
    func rows(under index: UInt32) -> [LinkRow] {
        row(of: index)?.chain.indexes.compactMap(row) ?? []
    }

    /// The link that has this address; nil where none has it.
    ///
    /// - Parameter index: The link that most likely has it.
    func holder(of address: IPAddress, likely index: UInt32) -> AddressHolder? {
        let own = state.addresses[index]?.first { $0.address == address }
        return (own ?? state.addresses.values.joined().first { $0.address == address }).map(AddressHolder.init)
    }
}

/// Which links could be ways out.
///
/// Hardware could, and what sits on it. Any other link could only if the kernel has a way by it. Where no more than a few
/// veths, VLANs or tunnels have an address, they are shown with what they lack all the same: they are the ways out of a
/// container or of a small router. More of them are those of containers, and there may be hundreds.
private struct Roles {
    private static let few = 8

    /// Those that are shown whatever the kernel says of them.
    private let uplinks: Set<UInt32>
    let candidates: Set<UInt32>

    init(_ stack: LinkStack, ways: Set<UInt32>?) {
        let index = stack.index
        var uplinks = index.hardware
        for aggregate in index.aggregates where !index.ports(of: aggregate).leading.isEmpty {
            if let last = stack.chain(of: aggregate).indexes.last, index.hardware.contains(last) {
                uplinks.insert(aggregate)
            }
        }
        if index.stacked.count <= Self.few { uplinks.formUnion(index.stacked) }
        if index.hardware.isEmpty, index.cables.count <= Self.few { uplinks.formUnion(index.cables) }
        self.uplinks = uplinks
        candidates = uplinks.union(ways.map(index.addressed.intersection) ?? index.addressed)
    }

    func role(of index: UInt32) -> LinkRow.Role {
        uplinks.contains(index) ? .uplink : .candidate
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

    init(_ link: LinkMessage, _ role: Role, _ stack: LinkStack, _ surroundings: Surroundings) {
        let chain = stack.chain(of: link.index)
        index = link.index
        name = link.name
        self.role = role
        self.chain = chain
        via = stack.names(of: chain)
        controllerIndex = link.controllerIndex
        isUp = link.flags.contains(.up)
        obstacle = link.obstacle
        hindrance = stack.hindrance(of: link, chain)
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
    fileprivate func hindrance(of link: LinkMessage, _ chain: Chain) -> PathReason? {
        if let obstacle = link.obstacle {
            return obstacle == .noCarrier && classify(link.index) == .tunnel ? .tunnelWithoutCarrier : obstacle
        }
        if classify(link.index) == .vrf { return hindrance(ofVRF: link.index, chain) }
        return hindrance(along: chain)
    }

    private func hindrance(along chain: Chain) -> PathReason? {
        endsInTunnel(chain) ? .tunnelWithoutPath : isCutOff(chain) ? .noCarrier : nil
    }

    /// A VRF is a table of routes with a device's name: it is as well as the port by which its packets leave.
    private func hindrance(ofVRF index: UInt32, _ chain: Chain) -> PathReason? {
        guard chain.indexes.count > 1, let port = state.links[chain.indexes[1]] else { return .noRoute }
        return port.obstacle ?? hindrance(along: chain)
    }
}

extension NetworkState {
    /// Without an address there is no route to speak of: the address is what is missing.
    fileprivate func missingAddress(_ link: LinkMessage, _ family: AddressFamily) -> PathReason? {
        let addresses = addresses(link.index, family).filter { !$0.address.isLinkLocal }
        if addresses.isEmpty { return link.flags.contains(.noARP) ? nil : .noAddress }
        // One that is well is enough, whatever became of others.
        let obstacles = addresses.map { AddressHolder($0).obstacle }
        return obstacles.contains(nil) ? nil : obstacles.contains(.duplicateAddress) ? .duplicateAddress : .tentative
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
