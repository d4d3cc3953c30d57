import Synchronization

/// How many readers follow the events.
final class ReaderCount: Sendable {
    private let limit: Int
    /// How many more may come by a Unix socket: a crowd that comes by TCP takes none of these places.
    private var spare: Int { limit / 8 }
    private let count = Mutex(0)

    init(limit: Int) {
        self.limit = limit
        Gauge("netwatch_event_readers").record(0)
    }

    /// A reader's place, which is free again once nothing holds it: also where the reader goes before it gets a single byte.
    final class Place: Sendable {
        private let readers: ReaderCount

        fileprivate init(in readers: ReaderCount) {
            self.readers = readers
        }

        deinit {
            readers.leave()
        }
    }

    /// A place for one more; nil where there is no room.
    ///
    /// - Parameter isLocal: Whether it comes by a Unix socket.
    func enter(isLocal: Bool) -> Place? {
        let count = count.withLock { count -> Int? in
            guard count < (isLocal ? limit + spare : limit) else { return nil }
            count += 1
            return count
        }
        guard let count else { return nil }
        Gauge("netwatch_event_readers").record(count)
        return Place(in: self)
    }

    private func leave() {
        let count = count.withLock { count in
            count -= 1
            return count
        }
        Gauge("netwatch_event_readers").record(count)
    }
}
