import History

/// A part of a history: what follows a place in it, as it was when it was read.
struct HistoryPage {
    /// So many events are read at a time, and not many more bytes.
    private static let (most, bytes) = (64, 256 << 10)

    /// How many events of earlier runs were not delivered.
    let earlier: Int
    private let start: EventCursor
    private let events: [HistoryReading.StoredEvent]
    /// The last event that is not in the history any more.
    private let forgotten: EventCursor

    /// - Parameters:
    ///   - delivered: Up to where all has arrived.
    ///   - run: The run that goes on.
    init(
        _ reading: HistoryReading, after place: EventCursor, delivered: EventCursor, before run: UInt64
    ) throws {
        let end = EventCursor(run: run, seq: UInt64(Int64.max))
        let before = EventCursor(run: run, seq: 0)
        start = place
        events = try reading.events(after: place, upTo: end, limit: Self.most, bytes: Self.bytes)
        // Afterwards: what is removed meanwhile is one gap too many at most.
        forgotten = try reading.forgotten()
        earlier = delivered.run < run ? try reading.count(after: delivered, upTo: before) : 0
    }

    /// What follows a place; nil where that is not in it.
    ///
    /// - Parameter limit: Whatever comes after is known to be elsewhere.
    func entry(after place: EventCursor, upTo limit: EventCursor) -> BacklogEntry? {
        guard start <= place, let event = events.first(where: { $0.place > place }) else { return nil }
        let next = event.place
        let follows = next.run == place.run && StandingEvent.follows(place.seq, seq: next.seq, line: event.line)
        if !follows, let gap = lost(after: place, before: next, isSnapshot: event.isSnapshot) {
            guard next.run == limit.run, case .gap(let first, let last) = gap, last > limit else { return gap }
            return .gap(after: first, upTo: limit)
        }
        return .line(event.line.withoutLast(), at: next)
    }

    /// The gap between a place and the next event that is known.
    ///
    /// - Parameter isSnapshot: Whether the next one tells all: a run begins with such an event, whatever its number is.
    func lost(after place: EventCursor, before next: EventCursor, isSnapshot: Bool) -> BacklogEntry? {
        var end = EventCursor(run: next.run, seq: next.seq - min(next.seq, 1))
        // What an earlier run had more is missing only where it was removed.
        if isSnapshot || next.seq <= 1, place.run != next.run || place.seq == 0 { end = min(forgotten, end) }
        return place < end ? .gap(after: place, upTo: end) : nil
    }
}
