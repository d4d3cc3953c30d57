import Netlink

/// What the kernel has answered in one evaluation, by its questions.
///
/// Nearly always there are a dozen, and going through them takes less than to hash one. A host with hundreds of links has
/// an index.
struct AnswerBook {
    private static let fewest = 32

    private(set) var exchanges: [TraceRecord.Exchange] = []
    private var positions: [RouteQuery: Int] = [:]

    subscript(query: RouteQuery) -> RouteAnswer? {
        position(of: query).map { exchanges[$0].answer }
    }

    private func position(of query: RouteQuery) -> Int? {
        guard exchanges.count <= Self.fewest else { return positions[query] }
        return exchanges.indices.first { exchanges[$0].query == query }
    }

    /// Notes the answer to a question that was not asked before.
    mutating func add(_ answer: RouteAnswer, to query: RouteQuery) {
        exchanges.append(TraceRecord.Exchange(query: query, answer: answer))
        guard exchanges.count > Self.fewest else { return }
        if positions.isEmpty {
            for (position, exchange) in exchanges.enumerated() { positions[exchange.query] = position }
        } else {
            positions[query] = exchanges.count - 1
        }
    }

    mutating func removeAll() {
        exchanges.removeAll(keepingCapacity: true)
        if !positions.isEmpty { positions.removeAll(keepingCapacity: true) }
    }
}
