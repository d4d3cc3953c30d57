import Netlink
import NetworkAddress

/// What the kernel has answered, by its questions.
///
/// Nearly always there are a dozen, and they are asked in the same order each time: going through them takes less than to
/// hash one. A host with hundreds of links has an index.
struct RouteAnswerCache {
    private struct Entry {
        let query: RouteQuery
        /// Nil where it may have changed since.
        var answer: RouteAnswer?
        /// Whether the present evaluation has asked for it.
        var isAsked = true
    }

    private static let fewest = 32

    private var entries: [Entry] = []
    private var positions: [RouteQuery: Int] = [:]
    /// Where the next question is likely to be found.
    private var next = 0
    /// How many answers were noted so far.
    private(set) var count: UInt64 = 0

    /// What was asked in this evaluation, and answered.
    var exchanges: [TraceRecord.Exchange] {
        entries.compactMap { entry in
            guard entry.isAsked, let answer = entry.answer else { return nil }
            return TraceRecord.Exchange(query: entry.query, answer: answer)
        }
    }

    /// How long the first of the routes that answered has to live; nil where none expires.
    ///
    /// An expired route answers no more, and the kernel tells of its end only when it collects the garbage, some 15 s later.
    var remaining: Duration? {
        var least: Duration?
        for place in entries.indices where entries[place].isAsked {
            guard let remaining = entries[place].answer?.remaining else { continue }
            least = min(remaining, least ?? remaining)
        }
        return least
    }

    /// Where the packets were to go that were asked about in this evaluation, each once.
    var destinations: [IPAddress] {
        var destinations: [IPAddress] = []
        destinations.reserveCapacity(8)
        for place in entries.indices where entries[place].isAsked {
            let destination = entries[place].query.destination
            if !destinations.contains(destination) { destinations.append(destination) }
        }
        return destinations
    }

    /// Begins an evaluation: forgets the answers about a family (nil: about both).
    mutating func begin(renewing family: AddressFamily?) {
        next = 0
        if entries.indices.contains(where: { !entries[$0].isAsked }) { dropUnasked() }
        for place in entries.indices {
            entries[place].isAsked = false
            if family == nil || entries[place].query.destination.family == family { entries[place].answer = nil }
        }
    }

    private mutating func dropUnasked() {
        entries.removeAll { !$0.isAsked }
        positions.removeAll(keepingCapacity: true)
        if entries.count > Self.fewest { index() }
    }

    /// The answer to a question: the one that is known, or else the kernel's.
    mutating func answer(
        to query: RouteQuery, from socket: inout RequestSocket
    ) throws(NetlinkError) -> RouteAnswer {
        let place = place(of: query)
        if let place, let known = entries[place].answer {
            note(place)
            return known
        }
        let answer = try socket.answer(query)
        count += 1
        guard let place else {
            append(Entry(query: query, answer: answer))
            return answer
        }
        entries[place].answer = answer
        note(place)
        return answer
    }

    /// Notes that a question is asked.
    private mutating func note(_ place: Int) {
        next = place + 1
        entries[place].isAsked = true
    }

    private func place(of query: RouteQuery) -> Int? {
        if next < entries.count, entries[next].query == query { return next }
        guard entries.count <= Self.fewest else { return positions[query] }
        return entries.indices.first { entries[$0].query == query }
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        next = entries.count
        guard entries.count > Self.fewest else { return }
        if positions.isEmpty { index() } else { positions[entry.query] = entries.count - 1 }
    }

    private mutating func index() {
        for place in entries.indices { positions[entries[place].query] = place }
    }
}

extension RouteAnswer {
    fileprivate var remaining: Duration? {
        guard case .route(let match, let chosen) = self else { return nil }
        guard match.remaining != nil || chosen?.remaining != nil else { return nil }
        return [match.remaining, chosen?.remaining].compactMap(\.self).min()
    }
}
