import Connectivity
import DequeModule

/// The latest events of this run, in memory: older ones are in the history, if anywhere. A value without a thread.
struct RecentEvents: Sendable {
    /// So many are kept at most.
    static let most = 4096
    /// They name so many targets and results at most: an event of thousands of targets is a large one.
    static let heaviest = 65_536

    private let most: Int
    private let heaviest: Int
    private var events: Deque<Event> = []
    private var weight = 0

    init(most: Int = Self.most, heaviest: Int = Self.heaviest) {
        self.most = most
        self.heaviest = heaviest
    }

    var count: Int { events.count }

    /// - Returns: The number of the last event that was given up for it.
    @discardableResult
    mutating func append(_ event: Event) -> UInt64? {
        events.append(event)
        weight += event.weight
        var forgotten: UInt64?
        while events.count > most || (weight > heaviest && events.count > 1) { forgotten = removeFirst() }
        return forgotten
    }

    /// Puts an event first that tells all that came before it.
    mutating func begin(with event: Event) {
        remove(upTo: event.seq)
        events.prepend(event)
        weight += event.weight
    }

    /// The first event after a number; nil where there is none.
    func event(after seq: UInt64) -> Event? {
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].seq <= seq { low = middle + 1 } else { high = middle }
        }
        return low < events.count ? events[low] : nil
    }

    mutating func remove(upTo seq: UInt64) {
        while let first = events.first, first.seq <= seq { _ = removeFirst() }
    }

    private mutating func removeFirst() -> UInt64 {
        let first = events.removeFirst()
        weight -= first.weight
        return first.seq
    }
}
