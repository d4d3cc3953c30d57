import NetworkAddress

/// The look-ups of a round of questions. What the last rounds have needed, the next is expected to need too.
struct LookupRound: Sendable {
    private struct Entry {
        let lookup: Lookup
        /// What it came to in this round; nil where it was not asked, or not answered.
        var result: LookupResult?
        /// The last round that needed it.
        var round: UInt64
    }

    /// For how many rounds a look-up is asked that none of them needs.
    private static let patience: UInt64 = 16

    private var entries: [Entry] = []
    private var round: UInt64 = 0
    /// Where the next question is likely to be found, as they come in the same order in each round.
    private var next = 0

    /// Begins a round: forgets what is known of a family (nil: of both), and tells what is to be asked at once.
    mutating func begin(renewing family: AddressFamily?) -> [Lookup] {
        round += 1
        next = 0
        entries.removeAll { $0.round + Self.patience < round }
        for index in entries.indices where family == nil || entries[index].lookup.query.destination.family == family {
            entries[index].result = nil
        }
        return entries.filter { $0.result == nil }.map(\.lookup)
    }

    /// What a look-up came to in this round; nil where it was not asked.
    mutating func result(of lookup: Lookup) -> LookupResult? {
        guard let index = index(of: lookup) else { return nil }
        entries[index].round = round
        return entries[index].result
    }

    /// Notes what a look-up came to. More than fit into a batch are not remembered.
    mutating func note(_ result: LookupResult?, of lookup: Lookup) {
        if let index = index(of: lookup) {
            entries[index].result = result
        } else if entries.count < LookupBatch.limit {
            entries.append(Entry(lookup: lookup, result: result, round: round))
        }
    }

    private mutating func index(of lookup: Lookup) -> Int? {
        let found =
            next < entries.count && entries[next].lookup == lookup
            ? next : entries.firstIndex { $0.lookup == lookup }
        if let found { next = found + 1 }
        return found
    }
}
