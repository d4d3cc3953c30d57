import History

/// The events that a reader has missed, from the history: also those of earlier runs.
struct EventReplay: Sendable {
    /// More cost a reader longer than a snapshot does.
    private static let most = 10_000
    /// So many are in memory at one time.
    private static let size = 64

    let last: EventCursor
    private let first: EventCursor
    private let history: History

    init(history: History, after first: EventCursor, upTo last: EventCursor) {
        (self.history, self.first, self.last) = (history, first, last)
    }

    /// Whether none of them is missing, and they are not too many.
    func isWhole() async -> Bool {
        await history.flush(isUrgent: true)
        let whole = try? await history.read { [first, last] in
            try $0.isWhole(after: first, upTo: last, most: Self.most)
        }
        return whole ?? false
    }

    /// The next of them after a place; nil where the history cannot be read.
    func page(after place: EventCursor) async -> [(line: [UInt8], cursor: EventCursor)]? {
        let events = try? await history.read { [last] in
            try $0.events(after: place, upTo: last, limit: Self.size)
        }
        return events?.map { ($0.line, $0.place) }
    }
}
