import Netlink
import NetworkAddress

/// What the kernel has answered in an evaluation, by its questions.
struct RouteAnswerCache {
    /// What was asked in this evaluation, and answered, in that order.
    private(set) var exchanges: [TraceRecord.Exchange] = []
    /// How many questions the kernel has answered so far.
    private(set) var count: UInt64 = 0
    private var answers: [RouteQuery: RouteAnswer] = [:]

    /// How long the first of the routes that answered has to live; nil where none expires.
    ///
    /// An expired route answers no more, and the kernel tells of its end only when it collects the garbage, some 15 s later.
    var remaining: Duration? { exchanges.lazy.compactMap(\.answer.remaining).min() }

    /// Where the packets were to go that were asked about in this evaluation, each once.
    var destinations: [IPAddress] {
        var (destinations, seen) = ([IPAddress](), Set<IPAddress>())
        for exchange in exchanges where seen.insert(exchange.query.destination).inserted {
            destinations.append(exchange.query.destination)
        }
        return destinations
    }

    /// Begins an evaluation: forgets all answers.
    mutating func begin() {
        exchanges.removeAll(keepingCapacity: true)
        answers.removeAll(keepingCapacity: true)
    }

    /// The answer to a question: the one that is known, or else the kernel's.
    mutating func answer(
        to query: RouteQuery, from socket: inout RequestSocket
    ) throws(NetlinkError) -> RouteAnswer {
        if let known = answers[query] { return known }
        let answer = try socket.answer(query)
        count += 1
        answers[query] = answer
        exchanges.append(TraceRecord.Exchange(query: query, answer: answer))
        return answer
    }
}

extension RouteAnswer {
    fileprivate var remaining: Duration? {
        guard case .route(let match, let chosen) = self else { return nil }
        guard match.remaining != nil || chosen?.remaining != nil else { return nil }
        return [match.remaining, chosen?.remaining].compactMap(\.self).min()
    }
}
