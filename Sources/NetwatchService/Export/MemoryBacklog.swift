package import Connectivity
import History
import Synchronization

/// The latest events that were not delivered yet, in memory: where too many wait, the oldest are given up.
package final class MemoryBacklog: EventBacklog {
    private struct State {
        var events: RecentEvents
        /// Up to where events were given up, or sent: what follows another place than that is a gap.
        var forgotten: EventCursor?
        var delivered: EventCursor?
    }

    private let run: UInt64
    private let state: Mutex<State>

    /// - Parameters:
    ///   - run: Which run of the program the events are of.
    ///   - most: How many events are kept.
    ///   - heaviest: How many targets and results they may name in all: an event of thousands of targets is a large one.
    init(run: UInt64, most: Int = RecentEvents.most, heaviest: Int = RecentEvents.heaviest) {
        self.run = run
        state = Mutex(State(events: RecentEvents(most: most, heaviest: heaviest)))
    }

    package func append(_ event: Event) {
        state.withLock { state in
            if let seq = state.events.append(event) { state.forgotten = EventCursor(run: run, seq: seq) }
        }
    }

    package func next(after place: EventCursor?) -> BacklogEntry? {
        state.withLock { state in
            // A run begins with an event that tells all, whatever its number is.
            let place = place.flatMap { $0.run == run && $0.seq == 0 ? nil : $0 } ?? state.delivered
            guard let event = state.events.event(after: place.map(latest) ?? 0) else { return nil }
            // The first events of a run are told by its snapshot.
            guard let known = place ?? state.forgotten.map({ EventCursor(run: $0.run, seq: 0) }),
                known.run == run, !StandingEvent.follows(known.seq, event)
            else { return .event(event, at: EventCursor(run: run, seq: event.seq)) }
            return .gap(after: known, upTo: EventCursor(run: run, seq: event.seq - 1))
        }
    }

    package func delivered(upTo place: EventCursor) {
        state.withLock { state in
            state.delivered = place
            state.events.remove(upTo: latest(at: place))
        }
    }

    /// The number of the last event of this run that there can be at a place: the events of a run count from 1.
    private func latest(at place: EventCursor) -> UInt64 {
        place.run == run ? place.seq : place.run < run ? 0 : .max
    }

    package var count: Int { state.withLock { $0.events.count } }
}
