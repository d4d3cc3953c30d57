internal import Connectivity
internal import EventLoop
internal import Netlink
internal import NetworkAddress
internal import Reachability

/// Asks the kernel which way packets to the subject go, and why they go none.
struct WayInquiry: ~Copyable {
    private let subject: Subject
    private let path: Path
    private let families: [AddressFamily]
    private var kernel = Kernel()

    init(about subject: Subject, _ probe: Probe) {
        self.subject = subject
        path = subject.path
        families = probe.family.map { [$0] } ?? AddressFamily.allCases
    }

    /// The links that there are, where none of them is an interface of the path.
    mutating func askLinks(_ way: inout WayFacts) {
        if path.interfaces.isEmpty { way.links = kernel.links() }
    }

    /// Why there is no way out: the kernel is asked about a public host, to which nothing is sent.
    mutating func askWhyNone(_ way: inout WayFacts) {
        askRules(&way)
        askPreference(&way)
    }

    /// It may be a rule that rejects all, or all of this user's.
    private mutating func askRules(_ way: inout WayFacts) {
        for family in families {
            guard let address = Reference.anywhere(family) else { continue }
            var asked = way
            asked.destination = address
            asked.rules = kernel.rules(family)
            asked.route = kernel.route(to: address, by: nil)
            guard RuleStep(subject, asked).step?.isWell == false else { continue }
            way = asked
            return
        }
    }

    /// The kernel may take a route by an interface that is dead before that of one that works.
    private mutating func askPreference(_ way: inout WayFacts) {
        for family in families {
            guard path.interfaces.contains(where: { $0[family].isUsable }),
                let address = Reference.anywhere(family),
                case .route(let match, let chosen)? = kernel.route(to: address, by: nil)
            else { continue }
            let index = chosen?.outputInterface ?? match.outputInterface
            if let dead = path.interfaces.first(where: { $0.index == index && !$0[family].isUsable }) {
                way.deadPreference = (dead, family)
                return
            }
        }
    }

    /// Whether packets to an address leave by a link that can carry them, or stay on this host.
    mutating func leads(to address: IPAddress, _ flow: Flow, by index: UInt32? = nil) -> Bool {
        guard case .route(let match, let chosen)? = kernel.route(to: address, by: index, flow: flow) else {
            return false
        }
        guard match.type != .local else { return true }
        // A link that is no interface of the path, as a container's, is not known to be down.
        let link = (chosen?.outputInterface ?? match.outputInterface).flatMap(path.interface(withIndex:))
        return link.map { $0.isUp && $0.hasCarrier } ?? true
    }

    /// Asks for the way to a host.
    ///
    /// - Parameters:
    ///   - flow: Which packets go there.
    ///   - index: The link that it is known by, where it is known by one alone.
    mutating func askWay(
        _ way: inout WayFacts, to destination: IPAddress, _ flow: Flow, by index: UInt32? = nil
    ) {
        way.destination = destination
        way.rules = kernel.rules(destination.family)
        if way.rules.contains(where: \.looksAtFlows) { way.flow = flow }
        // Echo requests are sent without connect(2).
        let isConnected = flow != .icmp(destination.family)
        (way.route, way.sender) = kernel.routeOfConnection(
            to: destination, by: way.link?.index ?? index, way.flow, under: isConnected ? way.rules : [])
        guard case .route(let match, let chosen)? = way.route else {
            if case .rejected(let type)? = way.route { way.rejectingTable = table(rejecting: destination, type, way) }
            return
        }
        way.isLoopbackDown = way.isLocal && kernel.isLoopbackDown()
        let index = chosen?.outputInterface ?? match.outputInterface
        way.link = way.link ?? index.flatMap(path.interface(withIndex:))
        if let source = chosen?.preferredSource, let index { way.source = kernel.address(source, on: index) }
        if way.link == nil { way.device = kernel.links().first { $0.index == index }?.name }
        way.gateway = chosen?.gateway ?? match.gateway
        way.nextHop = way.link == nil ? nil : way.gateway ?? destination
    }

    /// A table that an administrator made beside those of the system (`main`, `default`, `local`), and that rejects.
    private mutating func table(rejecting destination: IPAddress, _ type: RouteType, _ way: WayFacts) -> UInt32? {
        let tables = way.rules.filter(\.leadsToTable).map(\.table).filter { !RuleMessage.systemTables.contains($0) }
        for table in tables where kernel.rejects(destination, as: type, in: table) { return table }
        return nil
    }

    /// Where this host has the other family only, the question is why not this one.
    ///
    /// - Returns: Whether it is IPv4, which the network may translate.
    func askFamily(_ way: inout WayFacts) -> Bool {
        if case .route? = way.route { return false }
        guard let family = way.destination?.family else { return false }
        let other: AddressFamily = family == .ipv4 ? .ipv6 : .ipv4
        guard !path[family].isUsable, path[other].isUsable,
            let link = way.link ?? path[other].interface.flatMap(path.interface(named:)),
            !link.addresses.contains(where: { $0.address.family == family && !$0.address.isLinkLocal })
        else { return false }
        way.link = link
        return family == .ipv4
    }

    mutating func readNeighbour(_ way: inout WayFacts) {
        guard let nextHop = way.nextHop, let link = way.link else { return }
        way.neighbour = kernel.neighbour(nextHop, on: link.index)
        way.neighbourTime = .now
    }
}

extension Kernel {
    /// How the packets of a connection or a question leave, and the source with which that was asked.
    ///
    /// connect(2) looks twice in IPv4 (`ip_route_connect`): the first time without a source, which chooses one, and
    /// then with that. Rules by source apply to the second alone.
    ///
    /// - Returns: The source is nil where none of the rules looks at it.
    mutating func routeOfConnection(
        to address: IPAddress, by index: UInt32?, _ flow: Flow?, under rules: [RuleMessage]
    ) -> (answer: RouteAnswer?, source: IPAddress?) {
        let first = route(to: address, by: index, flow: flow)
        guard address.family == .ipv4, rules.contains(where: { $0.family == .ipv4 && $0.source != nil }),
            case .route(let match, let chosen)? = first, match.type != .local, let source = chosen?.preferredSource
        else { return (first, nil) }
        return (route(to: address, from: source, by: index, flow: flow) ?? first, source)
    }
}
