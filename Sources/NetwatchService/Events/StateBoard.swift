package import Connectivity
import Reachability
import Synchronization

/// What the program knows now, for other threads to read: the HTTP server's above all.
package final class StateBoard: Sendable {
    private struct State {
        var event: Event?
        var tally = EventTally()
        var ring = EventRing()
        var hasEnded = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Takes an event in.
    package func show(_ event: Event) {
        state.withLock { state in
            state.event = event
            state.tally.record(event)
            state.ring.append(event)
        }
    }

    /// Tells that no event will come any more.
    package func end() {
        state.withLock { $0.hasEnded = true }
    }

    /// The latest event; nil before the first.
    package var event: Event? { state.withLock { $0.event } }

    /// The events after one number up to another, where all of them are still known.
    func events(after first: UInt64, upTo last: UInt64) -> [Event]? {
        state.withLock { $0.ring.events(after: first, upTo: last) }
    }

    package var tally: EventTally { state.withLock { $0.tally } }

    /// Whether the kernel's answer to the first questions is complete.
    package var isReady: Bool { event.map { $0.reachability != .unknown } ?? false }

    /// Whether the monitor has ended although the program goes on.
    package var hasEnded: Bool { state.withLock { $0.hasEnded } }
}
