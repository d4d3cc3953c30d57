import Netlink
import NetworkAddress
import Reachability

/// A network of values: what the kernel would tell and answer, for what this machine's kernel does not have.
struct World {
    var links: [LinkMessage] = []
    var addresses: [AddressMessage] = []
    var rules: [RuleMessage] = []
    var routes: [Route] = []
    var surroundings = Surroundings()
    var question = PathQuestion()

    /// A route, and which questions it answers beside its block of addresses.
    struct Route {
        var destination: IPPrefix
        var index: UInt32
        var gateway: IPAddress?
        var mark: UInt32?
        var flags: RouteFlags = []
        /// Whether it answers only who asks with its device, as the routes of a VRF do.
        var isForDevice = false
        /// The entry that the kernel names by mistake when this one answers.
        var named: RouteMessage?
        /// The source that its packets have to carry, as a rule may ask for.
        var source: IPAddress?
        /// Another type than `unicast` turns away what it answers for.
        var type = RouteType.unicast
    }

    var state: NetworkState { NetworkState(Snapshot(links: links, addresses: addresses, rules: rules)) }

    mutating func add(_ link: LinkMessage, _ prefixes: String...) {
        links.append(link)
        for prefix in prefixes { addresses += Self.address(prefix, of: link.index) }
    }

    mutating func change(_ index: UInt32, _ change: (inout LinkMessage) -> Void) {
        for position in links.indices where links[position].index == index { change(&links[position]) }
    }

    mutating func setDefault(_ family: AddressFamily, via gateway: String?, dev index: UInt32) {
        addRoute(IPPrefix.all(of: family), via: gateway, dev: index)
    }

    mutating func addRoute(_ destination: IPPrefix, via gateway: String?, dev index: UInt32, mark: UInt32? = nil) {
        routes.append(
            Route(destination: destination, index: index, gateway: gateway.flatMap { IPAddress($0) }, mark: mark))
    }

    mutating func reject(_ destination: IPPrefix, _ type: RouteType = .unreachable) {
        routes.append(Route(destination: destination, index: 0, type: type))
    }

    func path() throws -> Path { try derived().path }

    func derived() throws -> DerivedPath {
        try PathDerivation(question, state: state, surroundings: surroundings, oracle: WorldOracle(world: self))
            .derive()
    }

    private static func address(_ text: String, of index: UInt32) -> [AddressMessage] {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let address = IPAddress(String(parts[0])), let length = UInt8(parts[1]) else {
            return []
        }
        return [AddressMessage(index: index, address: address, prefixLength: length)]
    }
}

/// Answers as the kernel would from a ``World``: the longest match, a marked one before the others.
private final class WorldOracle: RoutingOracle {
    let world: World

    init(world: World) {
        self.world = world
    }

    func answer(_ query: RouteQuery) throws(NetlinkError) -> RouteAnswer {
        // IPv6's look-up takes any source.
        if let source = query.source, source.family == .ipv4, !world.addresses.map(\.address).contains(source) {
            return .noRoute
        }
        let matching = world.routes.filter { route in
            guard route.source == nil || route.source == query.source else { return false }
            return route.destination.contains(query.destination) && (route.mark == nil || route.mark == query.mark)
                && (query.outputInterface.map { $0 == route.index } ?? !route.isForDevice)
        }
        let best = matching.max { rank($0) < rank($1) }
        guard let best else { return .noRoute }
        guard best.type == .unicast else { return .rejected(best.type) }
        var match = RouteMessage(destination: best.destination, table: 254, type: .unicast)
        match.outputInterface = best.index
        match.gateway = best.gateway
        match.flags = best.flags
        var chosen = match
        chosen.preferredSource =
            world.addresses.first {
                $0.index == best.index && $0.address.family == query.destination.family
            }?.address
        return .route(match: best.named ?? match, chosen: chosen)
    }

    private func rank(_ route: World.Route) -> Int {
        route.destination.length + (route.mark == nil ? 0 : 1000) + (route.source == nil ? 0 : 1000)
    }
}

extension LinkMessage {
    /// A link that is up and has carrier; an Ethernet card unless it is of another kind.
    static func uplink(_ index: UInt32, _ name: String, kind: String? = nil, type: UInt16 = 1) -> LinkMessage {
        var link = LinkMessage(index: index, type: type, flags: [.up, .lowerUp, .running], name: name)
        link.kind = kind
        link.operationalState = .up
        return link
    }
}
