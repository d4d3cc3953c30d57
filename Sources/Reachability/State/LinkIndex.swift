import Netlink
import NetworkAddress

/// Which links there are of each sort that a path asks about, kept change by change, so that a change of one link costs no
/// look at all the others: a host may have thousands, of which two matter.
struct LinkIndex: Sendable {
    /// What decides where one link belongs.
    fileprivate struct Entry: Hashable {
        let linkClass: LinkClass
        let isUp: Bool
        let isWireGuard: Bool
        /// Whether it has an address that others can answer to.
        let isAddressed: Bool
        /// Whether it is a veth whose other end is in this namespace, too, or is gone, so that it leads nowhere by itself.
        let isShortCircuited: Bool
        let controller: UInt32?
    }

    /// The links that are enslaved to a bridge, bond, team or VRF.
    struct Ports: Hashable, Sendable {
        /// Those that may lead out of it: hardware, and what sits on hardware.
        var leading: Set<UInt32> = []
        var veths: Set<UInt32> = []
        /// Taps of virtual machines, and others.
        var rest: Set<UInt32> = []

        fileprivate var isEmpty: Bool { leading.isEmpty && veths.isEmpty && rest.isEmpty }

        fileprivate static func place(of linkClass: LinkClass) -> WritableKeyPath<Ports, Set<UInt32>> {
            switch linkClass {
            case .physical, .upper, .aggregate: \.leading
            case .veth: \.veths
            case .tunnel, .loopback, .vrf, .virtual: \.rest
            }
        }
    }

    /// The links that packets physically leave by.
    private(set) var hardware: Set<UInt32> = []
    /// Bridges, bonds and teams.
    private(set) var aggregates: Set<UInt32> = []
    /// Tunnels that are up: what is under them has to be asked for.
    private(set) var tunnels: Set<UInt32> = []
    /// The WireGuard links that are up.
    private(set) var wireGuards: Set<UInt32> = []
    /// The links beside hardware that could be ways out if the kernel took them for such.
    private(set) var addressed: Set<UInt32> = []
    /// Of those, the ends of cables that lead out of a namespace, which is how a container is connected.
    private(set) var cables: Set<UInt32> = []
    /// Of those, what sits on another link, and tunnels.
    private(set) var stacked: Set<UInt32> = []

    private var entries: [UInt32: Entry] = [:]
    private var ports: [UInt32: Ports] = [:]

    init(_ state: NetworkState, _ facts: [UInt32: LinkFacts]) {
        for index in state.links.keys { update(index, state, facts) }
    }

    /// What this link is by itself.
    func classify(_ index: UInt32) -> LinkClass {
        entries[index]?.linkClass ?? .virtual
    }

    func ports(of controller: UInt32) -> Ports {
        ports[controller] ?? Ports()
    }

    /// Takes notice of what became of a link or of its addresses.
    mutating func update(_ index: UInt32, _ state: NetworkState, _ facts: [UInt32: LinkFacts]) {
        let entry = state.links[index].map { Entry($0, facts[index], state) }
        let previous = entries[index]
        guard entry != previous else { return }
        if let previous { change(previous) { $0.remove(index) } }
        entries[index] = entry
        if let entry { change(entry) { $0.insert(index) } }
    }

    /// Does this to each of the sets that a link belongs to.
    private mutating func change(_ entry: Entry, _ change: (inout Set<UInt32>) -> Void) {
        if entry.isHardware { change(&hardware) }
        if case .aggregate = entry.linkClass { change(&aggregates) }
        if entry.isTunnel { change(&tunnels) }
        if entry.isWireGuard { change(&wireGuards) }
        if entry.isPossibleWay { change(&addressed) }
        if entry.isCable { change(&cables) }
        if entry.isStacked { change(&stacked) }
        guard let controller = entry.controller else { return }
        change(&ports[controller, default: Ports()][keyPath: Ports.place(of: entry.linkClass)])
        if ports[controller]?.isEmpty == true { ports[controller] = nil }
    }
}

extension LinkIndex.Entry {
    init(_ link: LinkMessage, _ facts: LinkFacts?, _ state: NetworkState) {
        linkClass = MediumClassifier.classify(link, facts ?? LinkFacts())
        isUp = link.flags.contains(.up)
        isWireGuard = link.kind == "wireguard"
        isAddressed = state.hasOwnAddress(link.index)
        isShortCircuited = link.lowerNamespaceID == nil
        controller = link.controllerIndex
    }

    var isHardware: Bool {
        if case .physical = linkClass { true } else { false }
    }

    var isTunnel: Bool { isUp && linkClass == .tunnel }

    var isPossibleWay: Bool {
        switch linkClass {
        case .physical, .loopback: false
        // A port of a bridge carries the bridge's traffic, and has no way of its own.
        case .veth, .upper: isAddressed && controller == nil
        case .tunnel, .aggregate, .vrf, .virtual: isAddressed
        }
    }

    var isCable: Bool { linkClass == .veth && isPossibleWay && !isShortCircuited }
    var isStacked: Bool { (linkClass == .upper || linkClass == .tunnel) && isPossibleWay }
}
