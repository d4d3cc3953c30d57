import Netlink
import NetworkAddress

/// The kernel, asked over its request socket; each question once an evaluation.
final class KernelOracle: RoutingOracle {
    private var socket: RequestSocket
    private(set) var answers = RouteAnswerCache()
    var isThorough = false

    init() throws(NetlinkError) {
        socket = try RequestSocket()
    }

    /// Forgets the answers: what they were may have changed.
    ///
    /// - Parameter mayHaveIPv6: Whether this host may have an address of IPv6 beyond its links.
    func beginEvaluation(mayHaveIPv6: Bool) {
        answers.begin()
        socket.mayHaveOwnSource = mayHaveIPv6
        socket.beginRound()
    }

    func answer(_ query: RouteQuery) throws(NetlinkError) -> RouteAnswer {
        try answers.answer(to: query, from: &socket)
    }

    /// Reads the whole state, except for routes, of which there may be a million.
    func snapshot() throws(NetlinkError) -> (snapshot: Snapshot, wasInterrupted: Bool) {
        let links = try socket.links()
        let addresses = try socket.addresses()
        let rules = [try socket.rules(.ipv4), try socket.rules(.ipv6)]
        return (
            Snapshot(links: links.values, addresses: addresses.values, rules: rules.flatMap(\.values)),
            links.wasInterrupted || addresses.wasInterrupted || rules.contains(where: \.wasInterrupted)
        )
    }
}
