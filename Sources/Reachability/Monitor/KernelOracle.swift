import Netlink
import NetworkAddress

/// The kernel, asked over its request socket; each question once an evaluation.
final class KernelOracle: RoutingOracle {
    private var socket: RequestSocket
    private var answers = AnswerBook()
    /// What was asked in this evaluation, and answered.
    var exchanges: [TraceRecord.Exchange] { answers.exchanges }
    /// How many seconds the first of the routes that answered has to live; nil where none expires.
    ///
    /// An expired route answers no more, and the kernel tells of its end only when it collects the garbage, some 15 s later.
    private(set) var secondsLeft: Int32?
    private(set) var lookups: UInt64 = 0
    var isThorough = false
    /// Where the packets were to go that this evaluation has asked about.
    private(set) var destinations: [IPAddress] = []

    init() throws(NetlinkError) {
        socket = try RequestSocket()
    }

    /// Forgets the answers: what they were may have changed.
    ///
    /// - Parameter family: The one family of which that is true; nil where it is true of both.
    func beginEvaluation(renewing family: AddressFamily?) {
        answers.removeAll()
        destinations.removeAll(keepingCapacity: true)
        secondsLeft = nil
        socket.beginRound(renewing: family)
    }

    func answer(_ query: RouteQuery) throws(NetlinkError) -> RouteAnswer {
        if let known = answers[query] { return known }
        let answer = try socket.answer(query)
        lookups += 1
        answers.add(answer, to: query)
        if !destinations.contains(query.destination) { destinations.append(query.destination) }
        if let seconds = answer.secondsLeft { secondsLeft = min(seconds, secondsLeft ?? seconds) }
        return answer
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

extension RouteAnswer {
    fileprivate var secondsLeft: Int32? {
        guard case .route(let match, let chosen) = self else { return nil }
        return [match.expires, chosen?.expires].compactMap(\.self).filter { $0 >= 0 }.min()
    }
}
