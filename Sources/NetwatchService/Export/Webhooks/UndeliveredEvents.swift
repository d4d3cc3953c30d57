import Connectivity
import FoundationEssentials
import History
import Netwatch

/// The events that a webhook is still to be told of, in their order: the latest from memory, others from the history, and a gap
/// where neither has them.
struct UndeliveredEvents: Sendable {
    /// What comes next.
    enum Next: Sendable {
        case event(line: [UInt8], isWanted: Bool, at: EventCursor)
        /// The events after one place up to another are not known any more, or too many.
        case gap(after: EventCursor, upTo: EventCursor)
    }

    /// So many are delivered that were missed; of more the oldest are left out.
    static let most = 10_000
    /// So many of the history's are in memory at one time.
    private static let page = 64

    private let origin: EventOrigin
    private let history: History?
    private let filter: EventFilter
    private var stored: ArraySlice<HistoryReading.BacklogEvent> = []

    init(origin: EventOrigin, history: History?, filter: EventFilter) {
        self.origin = origin
        self.history = history
        self.filter = filter
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
        stored = stored.drop { EventCursor($0.place) <= place }
        if stored.isEmpty, event != nil || place.run < run {
            let last = EventCursor(run: run, seq: event.map { $0.seq - 1 } ?? 0)
            if let leftOut = try await read(after: place, upTo: last) { return .gap(after: place, upTo: leftOut) }
        }
        if let first = stored.first { return next(first, after: place) }
        guard let event else { return nil }
        let before = EventCursor(run: run, seq: event.seq - 1)
        return before <= place || event.kind == .snapshot && place.run < run
            ? next(event) : .gap(after: place, upTo: before)
    }

    /// Reads on in the history.
    ///
    /// - Returns: Up to where events are left out.
    private mutating func read(after place: EventCursor, upTo last: EventCursor) async throws -> EventCursor? {
        guard let history, place < last else { return nil }
        await history.flush(isUrgent: true)
        let backlog = try await history.read {
            try $0.backlog(
                after: HistoryReading.Place(place), upTo: HistoryReading.Place(last), limit: Self.page, most: Self.most)
        }
        stored = backlog.events[...]
        return backlog.leftOut.map { EventCursor($0) }
    }

    // MARK: What follows what

    private func isNext(_ event: Event, after place: EventCursor) -> Bool {
        place.run == origin.epoch && event.seq <= place.seq + 1 + event.skipped
    }

    /// How many events are part of one that came in their place.
    private static func skipped(_ line: [UInt8]) -> UInt64 {
        (try? JSONDecoder().decode(Skipping.self, from: Data(line)))?.skipped ?? 0
    }

    private struct Skipping: Decodable {
        let skipped: UInt64?
    }

    private func next(_ event: Event) -> Next {
        let line = event.jsonLine(of: origin)
        return .event(line: line, isWanted: filter.wants(event), at: EventCursor(run: origin.epoch, seq: event.seq))
    }

    private func next(_ event: HistoryReading.BacklogEvent, after place: EventCursor) -> Next {
        let own = EventCursor(event.place)
        let follows =
            own.run == place.run
            ? own.seq == place.seq + 1 || own.seq <= place.seq + 1 + Self.skipped(event.line) : event.isSnapshot
        guard follows else { return .gap(after: place, upTo: EventCursor(run: own.run, seq: own.seq - 1)) }
        return .event(line: event.line, isWanted: filter.wants(event.line), at: own)
    }
}
