package import Connectivity
import DequeModule

/// The latest events, for readers that come back after a while.
package struct EventRing: Sendable {
    /// Enough for the seconds that a reader is away; each costs a few hundred bytes.
    private static let capacity = 256

    private var events: Deque<Event> = []

    package init() {}

    package mutating func append(_ event: Event) {
        if events.count == Self.capacity { events.removeFirst() }
        events.append(event)
    }

    /// The events after one number up to another, in order; nil where one of them is missing.
    package func events(after first: UInt64, upTo last: UInt64) -> [Event]? {
        guard first <= last else { return nil }
        let wanted: [Event] = events.filter { $0.seq > first && $0.seq <= last }
        let isWhole = wanted.count == Int(clamping: last - first) && wanted.allSatisfy { $0.skipped == 0 }
        return isWhole ? wanted : nil
    }
}
