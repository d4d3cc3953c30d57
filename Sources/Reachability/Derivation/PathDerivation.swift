package import Netlink
package import NetworkAddress

/// What a path is derived from, beside the kernel's links and addresses.
package struct Surroundings: Hashable, Sendable, Codable {
    /// What each device is, as far as its netlink message does not say.
    package var facts: [UInt32: LinkFacts] = [:]
    /// What the carrier itself answered where it was asked, ahead of the kernel's news.
    package var carriers: [UInt32: Bool] = [:]
    /// Megabits a second; 0 where the driver does not know.
    package var speeds: [UInt32: UInt32] = [:]
    package var wireless: [UInt32: WirelessInterface] = [:]
    /// Where WireGuard links send their packets; nil where the kernel does not tell, as it does not without privilege.
    package var wireGuards: [UInt32: WireGuardDevice]? = nil
    package var nameServers: [IPAddress] = []
    /// The links beside hardware by which the kernel has a way out, as far as it was asked; nil where all are to be asked about.
    package var ways: Set<UInt32>? = nil

    package init() {}

    /// The radios that stations connect to.
    var accessPoints: Set<UInt32> {
        Set(wireless.filter { [.accessPoint, .accessPointVLAN].contains($0.value.type) }.keys)
    }
}

/// A path, the links that carry it, and whether the kernel was seen in the middle of a change.
package struct DerivedPath: Hashable, Sendable {
    package var path: Path
    /// The links that a usable way leaves by, and what lies under them, under tunnels and VRFs, too.
    package var carrying: Set<UInt32>
    /// The kernel has told of a change and not carried it out yet: ask again in some microseconds.
    package var isTransient: Bool
}

/// The path as a function of what the kernel told, what it answers, and what is known around it.
///
/// There is no clock, socket or memory in it: the same values give the same path, live or replayed.
package struct PathDerivation {
    let question: PathQuestion
    /// Where packets are to go besides, as far as there is no way out.
    let others: [IPAddress]?
    let state: NetworkState
    let surroundings: Surroundings
    let oracle: any RoutingOracle
    private(set) var table: LinkTable

    init(
        _ question: PathQuestion, others: [IPAddress]? = nil, _ table: LinkTable, _ surroundings: Surroundings,
        _ oracle: any RoutingOracle
    ) {
        self.question = question
        self.others = others
        self.state = table.state
        self.surroundings = surroundings
        self.oracle = oracle
        self.table = table
    }

    /// Derives the path.
    ///
    /// Throws where the oracle fails to answer, which is not the same as the answer that there is no route.
    package func derive() throws(NetlinkError) -> DerivedPath {
        let tunnels = try tunnelPaths()
        let complete = tunnels.isEmpty ? self : knowing(tunnels)
        let ways = try complete.judgeAll()
        let vrfs = Set(ways.compactMap(\.path.interfaceIndex).filter { table.index.classify($0) == .vrf })
        guard !vrfs.isEmpty else { return try complete.derive(ways) }
        return try complete.derive(through: vrfs, tunnels)
    }

    /// Derives the path where a route leads to a VRF, whose own routes lead on.
    private func derive(
        through vrfs: Set<UInt32>, _ tunnels: [UInt32: TunnelPath]
    ) throws(NetlinkError) -> DerivedPath {
        var tunnels = tunnels
        for vrf in vrfs.sorted() { tunnels[vrf] = try path(under: vrf) }
        let complete = knowing(tunnels)
        return try complete.derive(complete.judgeAll())
    }

    /// The same with what lies under tunnels.
    private func knowing(_ tunnels: [UInt32: TunnelPath]) -> PathDerivation {
        var complete = self
        complete.table = LinkTable(state, table.index, surroundings, tunnels: tunnels)
        return complete
    }

    private func judgeAll() throws(NetlinkError) -> [Conclusion] {
        var ways: [Conclusion] = []
        ways.reserveCapacity(question.destinations.count)
        for destination in question.destinations { ways.append(try judge(destination)) }
        return ways
    }

    private func derive(_ ways: [Conclusion]) throws(NetlinkError) -> DerivedPath {
        var ipv4 = FamilyVerdict(ways, on: .ipv4, table)
        var ipv6 = FamilyVerdict(ways, on: .ipv6, table)
        let routes = ipv4.path.isUsable || ipv6.path.isUsable ? [] : try ownRoutes()
        let indexes = [ipv4.path.interfaceIndex, ipv6.path.interfaceIndex].compactMap(\.self)
        let interfaces = try interfaces(carrying: indexes + routes.compactMap(\.interfaceIndex), ways: ways)
        let uplinks = withoutBystanders(interfaces, of: routes, beside: indexes)
        ipv4.path.explainMissingRoute(.ipv4, uplinks)
        ipv6.path.explainMissingRoute(.ipv6, uplinks)
        var path = Path(ipv4.path, ipv6.path, interfaces, nameServers: surroundings.nameServers)
        path.routes = routes.map(\.destination)
        let carrying = path.interfaces.filter(\.isUsable).flatMap { interface in
            table.row(of: interface.index)?.chain.indexes ?? [interface.index]
        }
        return DerivedPath(path: path, carrying: Set(carrying), isTransient: ipv4.isTransient || ipv6.isTransient)
    }

    /// Judges how packets to one of the question's destinations leave, by any device or by one.
    ///
    /// What stands for the Internet is in some network all the same, to which a host may have a route of its own, or
    /// one that turns packets away. Where such a route answers, the place beside that network is asked about, and
    /// stands for the Internet instead if a general route leads there.
    func judge(_ destination: IPAddress, by index: UInt32? = nil) throws(NetlinkError) -> Conclusion {
        let way = try judge(question.query(destination, by: index))
        guard question.isAboutInternet, way.isRejected || way.detail > 0 else { return way }
        let beside = try judge(question.query(ReferenceDestination.beside(destination), by: index))
        return beside.detail == 0 && beside.goesBefore(way) ? beside : way
    }

    func judge(_ query: RouteQuery) throws(NetlinkError) -> Conclusion {
        DestinationJudgement(table: table).judge(query, try oracle.answer(query), for: question)
    }
}
