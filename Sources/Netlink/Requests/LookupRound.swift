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

    /// Begins a round: forgets what is known of a family (nil: of both). What stands is as needed as it was.
    mutating func begin(renewing family: AddressFamily?) {
        round += 1
        next = 0
        forgetUnneeded()
        for index in entries.indices {
            if family == nil || entries[index].lookup.query.destination.family == family {
                entries[index].result = nil
            } else {
                entries[index].round += 1
            }
        }
    }

    private mutating func forgetUnneeded() {
        let earliest = round > Self.patience ? round - Self.patience : 0
        guard entries.indices.contains(where: { entries[$0].round < earliest }) else { return }
        entries.removeAll { $0.round < earliest }
    }

    /// What is to be asked at once.
    var wanted: [Lookup] { unanswered.map { entries[$0].lookup } }

    private var unanswered: some Sequence<Int> { entries.indices.lazy.filter { entries[$0].result == nil } }

    /// Whether it is these that are to be asked, in this order.
    func wants(_ lookups: [Lookup]) -> Bool {
        var index = 0
        for place in unanswered {
            guard index < lookups.count, entries[place].lookup == lookups[index] else { return false }
            index += 1
        }
        return index == lookups.count
    }

    /// Notes what became of all that was wanted, in its order.
    mutating func note(_ results: [LookupResult?]) {
        var index = 0
        for place in entries.indices where entries[place].result == nil && index < results.count {
            entries[place].result = results[index]
            index += 1
        }
    }

    /// What a look-up came to in this round; nil where it was not asked.
    mutating func result(of lookup: Lookup) -> LookupResult? {
        guard let index = index(of: lookup) else { return nil }
        entries[index].round = round
        return entries[index].result
    }

    /// Notes what a look-up came to. More than fit into a batch are not remembered.
    mutating func note(_ result: LookupResult, of lookup: Lookup) {
        if let index = index(of: lookup) {
            entries[index].result = result
        } else if entries.count < LookupBatch.limit {
            entries.append(Entry(lookup: lookup, result: result, round: round))
        }
    }

    private mutating func index(of lookup: Lookup) -> Int? {
        let found = next < entries.count && entries[next].lookup == lookup ? next : search(lookup)
        if let found { next = found + 1 }
        return found
    }

    private func search(_ lookup: Lookup) -> Int? {
        entries.indices.first { entries[$0].lookup == lookup }
    }
}
