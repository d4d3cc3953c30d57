import Metrics
import Synchronization

/// How many readers follow the events.
final class ReaderCount: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) {
        self.limit = limit
        Gauge(label: "netwatch_event_readers").record(0)
    }

    /// Whether there is room for one more, which is counted then until ``leave()``.
    func enter() -> Bool {
        let count = count.withLock { count -> Int? in
            guard count < limit else { return nil }
            count += 1
            return count
        }
        guard let count else { return false }
        Gauge(label: "netwatch_event_readers").record(count)
        return true
    }

    func leave() {
        let count = count.withLock { count in
            count -= 1
            return count
        }
        Gauge(label: "netwatch_event_readers").record(count)
    }
}
