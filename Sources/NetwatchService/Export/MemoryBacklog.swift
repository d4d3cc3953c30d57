package import Connectivity
import DequeModule
import History
import Synchronization

/// The latest events that were not delivered yet, in memory: where too many wait, the oldest are given up.
package final class MemoryBacklog: EventBacklog {
    fileprivate struct Entry {
        let event: Event
        let place: EventCursor
        let weight: Int
    }

    fileprivate struct State {
        var entries: Deque<Entry> = []
        var weight = 0
        /// Up to where events were given up, or sent: what follows another place than that is a gap.
        var forgotten: EventCursor?
        var delivered: EventCursor?
    }

    private let run: UInt64
    private let most: Int
    private let heaviest: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - run: Which run of the program the events are of.
    ///   - most: How many events are kept.
    ///   - heaviest: How many targets and results they may name in all: an event of thousands of targets is a large one.
    package init(run: UInt64, most: Int = 4096, heaviest: Int = 65_536) {
        self.run = run
        self.most = most
        self.heaviest = heaviest
    }

    package func append(_ event: Event) {
        let weight = event.weight
        let entry = Entry(event: event, place: EventCursor(run: run, seq: event.seq), weight: weight)
        state.withLock { state in
            state.entries.append(entry)
            state.weight += weight
            while state.entries.count > most || (state.weight > heaviest && state.entries.count > 1) {
                state.forgotten = state.dropFirst()
            }
        }
    }

    package func next(after place: EventCursor?) -> BacklogEntry? {
        state.withLock { state in
            // A run begins with an event that tells all, whatever its number is.
            let place = place.flatMap { $0.run == run && $0.seq == 0 ? nil : $0 } ?? state.delivered
            guard let entry = state.entry(after: place) else { return nil }
            let before = EventCursor(run: entry.place.run, seq: entry.place.seq - 1)
            // The first events of a run are told by its snapshot.
            guard let known = place ?? state.forgotten.map({ EventCursor(run: $0.run, seq: 0) }),
                known.run == entry.place.run, !StandingEvent.follows(known.seq, entry.event)
            else { return .event(entry.event, at: entry.place) }
            return .gap(after: known, upTo: before)
        }
    }

    package func delivered(upTo place: EventCursor) {
        state.withLock { state in
            state.delivered = place
            while let first = state.entries.first, first.place <= place { _ = state.dropFirst() }
        }
    }

    package var count: Int { state.withLock { $0.entries.count } }
}

extension MemoryBacklog.State {
    fileprivate mutating func dropFirst() -> EventCursor {
        let first = entries.removeFirst()
        weight -= first.weight
        return first.place
    }

    /// The first entry after a place. Their numbers ascend.
    fileprivate func entry(after place: EventCursor?) -> MemoryBacklog.Entry? {
        guard let place else { return entries.first }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].place <= place { low = middle + 1 } else { high = middle }
        }
        return low < entries.count ? entries[low] : nil
    }
}
