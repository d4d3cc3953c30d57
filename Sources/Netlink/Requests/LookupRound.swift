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

    /// The latest plain look-up of this round.
    var chosen: ChosenWay?

    /// Where no connection of IPv6 leaves in this round.
    var unreachable: [IPAddress] = []

    init() {}

    /// A first round that is expected to need these.
    init(expecting lookups: some Sequence<Lookup>) {
        entries = lookups.map { Entry(lookup: $0, result: nil, round: 0) }
    }

    /// Begins a round: forgets what look-ups came to.
    mutating func begin() {
        round += 1
        next = 0
        chosen = nil
        unreachable.removeAll(keepingCapacity: true)
        forgetUnneeded()
        for index in entries.indices { entries[index].result = nil }
    }

    private mutating func forgetUnneeded() {
        let earliest = round > Self.patience ? round - Self.patience : 0
        guard entries.indices.contains(where: { entries[$0].round < earliest }) else { return }
        entries.removeAll { $0.round < earliest }
    }

    /// What is to be asked at once.
    var wanted: [Lookup] { entries.map(\.lookup) }

    /// Whether it is these that are to be asked, in this order.
    func wants(_ lookups: [Lookup]) -> Bool {
        lookups.count == entries.count && entries.indices.allSatisfy { entries[$0].lookup == lookups[$0] }
    }

    /// Notes what became of one that was wanted, by where it stood among them.
    mutating func note(_ result: LookupResult, at index: Int) {
        entries[index].result = result
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
