import Connectivity
import DequeModule

/// The events that a hook is still to be run for: where too many wait, the oldest are given up. A value without a thread.
struct HookQueue: Sendable {
    /// So many events wait at most.
    static let most = 64
    /// They name so many targets and results at most: an event of thousands of targets is a large one.
    static let heaviest = 65_536

    /// What is to be done after an event has come.
    struct News: Hashable, Sendable {
        /// Whether the hook stands still, and has to be started.
        var wakes = false
        /// How many events were given up for it.
        var dropped = 0
    }

    private var events: Deque<Event> = []
    private var weight = 0
    private var isBusy = false
    /// How many were given up since that was told.
    private var untold = 0

    var count: Int { events.count }

    mutating func append(_ event: Event) -> News {
        events.append(event)
        weight += event.weight
        var news = News(wakes: !isBusy)
        while events.count > Self.most || (weight > Self.heaviest && events.count > 1) {
            weight -= events.removeFirst().weight
            news.dropped += 1
        }
        untold += news.dropped
        isBusy = true
        return news
    }

    /// The next event; nil where there is none, so that the next that comes has to wake the hook.
    mutating func next() -> Event? {
        guard let event = events.popFirst() else {
            isBusy = false
            return nil
        }
        weight -= event.weight
        return event
    }

    /// How many events were given up, once those that were not have had their turn; nil where that was told.
    mutating func takeDropped() -> Int? {
        guard events.isEmpty, untold > 0 else { return nil }
        return exchange(&untold, with: 0)
    }

    /// Gives all up that wait.
    ///
    /// - Returns: How many these were.
    mutating func removeAll() -> Int {
        defer { (events, weight) = ([], 0) }
        return events.count
    }
}
