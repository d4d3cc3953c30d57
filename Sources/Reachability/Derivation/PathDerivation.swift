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

    package init() {}
}

/// A path, and whether the kernel was seen in the middle of a change.
package struct DerivedPath: Hashable, Sendable {
    package var path: Path
    /// The kernel has told of a change and not carried it out yet: ask again in some microseconds.
    package var isTransient: Bool
}

/// The path as a function of what the kernel told, what it answers, and what is known around it.
///
/// There is no clock, socket or memory in it: the same values give the same path, live or replayed.
package struct PathDerivation {
    let question: PathQuestion
    let state: NetworkState
    let surroundings: Surroundings
    let oracle: any RoutingOracle
    private(set) var table: LinkTable

    package init(
        _ question: PathQuestion, state: NetworkState, surroundings: Surroundings, oracle: any RoutingOracle
    ) {
        self.init(question, LinkTable(state, surroundings), surroundings, oracle)
    }

    init(_ question: PathQuestion, _ table: LinkTable, _ surroundings: Surroundings, _ oracle: any RoutingOracle) {
        self.question = question
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
        guard !tunnels.isEmpty else { return try deriveOnTable() }
        var complete = self
        complete.table = LinkTable(state, surroundings, tunnels: tunnels)
        return try complete.deriveOnTable()
    }

    private func deriveOnTable() throws(NetlinkError) -> DerivedPath {
        var ways: [Judgement] = []
        ways.reserveCapacity(question.destinations.count)
        for destination in question.destinations { ways.append(try judge(question.query(destination))) }
        let ipv4 = try join(.ipv4, ways)
        let ipv6 = try join(.ipv6, ways)
        var path = Path(status: .none, ipv4: ipv4.path, ipv6: ipv6.path)
        path.interfaces = try interfaces(carrying: [ipv4.path, ipv6.path], ways: ways)
        path.nameServers = surroundings.nameServers
        path.ipv4.explainMissingRoute(.ipv4, path.interfaces)
        path.ipv6.explainMissingRoute(.ipv6, path.interfaces)
        path.conclude()
        return DerivedPath(path: path, isTransient: ipv4.isTransient || ipv6.isTransient)
    }

    private func join(_ family: AddressFamily, _ ways: [Judgement]) throws(NetlinkError) -> Judgement {
        var joined = Judgement.join(ways, of: family)
        guard let destination = joined.destination else { return joined }
        let query = question.query(destination)
        joined.path.kernel = try oracle.answer(query).kernelWords(query, state)
        return joined
    }

    func judge(_ query: RouteQuery) throws(NetlinkError) -> Judgement {
        var judgement = DestinationJudgement(table: table).judge(query, try oracle.answer(query))
        if judgement.path.isUsable, let medium = judgement.path.medium, !question.allows(medium) {
            judgement.path.isUsable = false
            judgement.path.reason = .mediumNotAllowed
        }
        return judgement
    }
}
