import Connectivity
import History
import Netwatch

/// The events that a webhook is still to be told of, in their order: the latest from memory, others from the history, and a gap
/// where neither has them.
struct UndeliveredEvents: Sendable {
    /// What comes next.
    enum Next: Sendable {
        case event(line: [UInt8], isWanted: Bool, at: EventCursor)
        /// The events after one place up to another are not known any more, or too many.
        ///
        /// - Parameter count: How many these are, as far as that is known.
        case gap(after: EventCursor, upTo: EventCursor, count: Int)
    }

    /// So many are delivered that were missed; of more the oldest are left out.
    static let most = 10_000
    /// So many of the history's are in memory at one time.
    private static let page = 64

    private let origin: EventOrigin
    private let history: History?
    private let filter: EventFilter
    private var stored: ArraySlice<HistoryReading.StoredEvent> = []
    /// The last event of this run that never comes into memory: there were some before the first that does.
    private var begun: UInt64 = 0
    /// How many events of earlier runs followed where the history was read last.
    private(set) var earlier = 0
    /// The last event that was not in the history any more then.
    private var forgotten = EventCursor(run: 0, seq: 0)

    init(origin: EventOrigin, history: History?, filter: EventFilter) {
        self.origin = origin
        self.history = history
        self.filter = filter
    }

    /// The run goes on already: its events up to a number are in the history only.
    mutating func begin(after seq: UInt64) {
        begun = seq
    }

    /// What follows a place; nil where nothing does yet.
    ///
    /// - Parameter recent: The first event in memory after a number; nil where there is none.
    /// - Throws: What says why the history cannot be read: it may be the next time.
    mutating func next(
        after place: EventCursor, _ recent: @Sendable (UInt64) -> Event?
    ) async throws -> Next? {
        let run = origin.epoch
        let event = recent(place.run == run ? place.seq : 0)
        if let event, isNext(event, after: place) { return self.next(event) }
        stored = stored.drop { $0.place <= place }
        if stored.isEmpty {
            if let leftOut = try await read(after: place, upTo: last(before: event)) { return leftOut }
        }
        if let first = stored.first { return next(first, after: place) }
        guard let event else { return nil }
        let before = last(before: event)
        if before <= place { return next(event) }
        guard event.kind == .snapshot, place.run < run else { return gap(after: place, upTo: before) }
        return removed(after: place, upTo: before) ?? next(event)
    }

    /// What is given up after a place where the history cannot be read: all that is not in memory; nil where nothing of
    /// this run is known to follow.
    ///
    /// - Parameter recent: The first event in memory after a number; nil where there is none.
    func withoutHistory(after place: EventCursor, _ recent: (UInt64) -> Event?) -> Next? {
        let event = recent(place.run == origin.epoch ? place.seq : 0)
        let end = last(before: event)
        return place < end && (event != nil || begun > 0) ? gap(after: place, upTo: end) : nil
    }

    /// The last event that is in the history only.
    ///
    /// - Parameter event: The first one in memory.
    private func last(before event: Event?) -> EventCursor {
        EventCursor(run: origin.epoch, seq: event.map { $0.seq - 1 } ?? begun)
    }

    /// Reads on in the history.
    ///
    /// - Returns: What is left out, where there is more than is delivered.
    private mutating func read(after place: EventCursor, upTo last: EventCursor) async throws -> Next? {
        guard let history, place < last else { return nil }
        await history.flush(isUrgent: true)
        let own = EventCursor(run: origin.epoch, seq: 0)
        let (backlog, leftOut, earlier, forgotten) = try await history.read { reading in
            let backlog = try reading.backlog(after: place, upTo: last, limit: Self.page, most: Self.most)
            let first = backlog.leftOut ?? place
            return (
                backlog, try backlog.leftOut.map { try reading.count(after: place, upTo: $0) } ?? 0,
                first < own ? try reading.count(after: first, upTo: own) : 0,
                // Last: what is removed meanwhile is one gap too many at most.
                try reading.forgotten()
            )
        }
        (stored, self.earlier, self.forgotten) = (backlog.events[...], earlier, forgotten)
        return backlog.leftOut.map { .gap(after: place, upTo: $0, count: leftOut) }
    }

    // MARK: What follows what

    private func isNext(_ event: Event, after place: EventCursor) -> Bool {
        place.run == origin.epoch && StandingEvent.follows(place.seq, event)
    }

    /// A gap for what earlier runs had more and was removed, before a run's first event, which tells nothing of them.
    private func removed(after place: EventCursor, upTo last: EventCursor) -> Next? {
        let end = min(forgotten, last)
        return place < end ? gap(after: place, upTo: end) : nil
    }

    private func gap(after first: EventCursor, upTo last: EventCursor) -> Next {
        .gap(after: first, upTo: last, count: first.count(upTo: last))
    }

    private func next(_ event: Event) -> Next {
        let line = event.jsonLine(of: origin)
        return .event(line: line, isWanted: filter.wants(event), at: EventCursor(run: origin.epoch, seq: event.seq))
    }

    private func next(_ event: HistoryReading.StoredEvent, after place: EventCursor) -> Next {
        let own = event.place
        let follows =
            own.run == place.run
            ? StandingEvent.follows(place.seq, seq: own.seq, line: event.line) : event.isSnapshot
        let before = EventCursor(run: own.run, seq: own.seq - min(own.seq, 1))
        guard follows else { return gap(after: place, upTo: before) }
        if own.run != place.run, let gap = removed(after: place, upTo: before) { return gap }
        return .event(line: event.line, isWanted: filter.wants(event.line), at: own)
    }
}
