import Connectivity
import EventLoop
import Netwatch
import Reachability

/// What a test waited for did not come.
struct NotSeen: Error, CustomStringConvertible {
    let seen: [Event]

    var description: String {
        "not seen; the events were "
            + seen.map {
                "\($0.seq) \($0.to.reachability) \($0.to.connectivity) \($0.to.interfaces) (\($0.cause.description))"
            }.joined(separator: ", ")
    }
}

/// The events of a monitor, read one after the other with a limit of time for each.
actor EventReader {
    private let iterator: EventSequence.Iterator
    private(set) var seen: [Event] = []
    private let limit: Duration

    init(_ monitor: ConnectivityMonitor, limit: Duration = .seconds(30)) {
        iterator = monitor.events.makeAsyncIterator()
        self.limit = limit
    }

    /// Reads on until an event is as wanted, and returns it.
    @discardableResult
    func wait(_ isWanted: @Sendable (Event) -> Bool) async throws -> Event {
        while let event = try await next() {
            if isWanted(event) { return event }
        }
        throw NotSeen(seen: seen)
    }

    /// Reads on until the connectivity is as wanted.
    @discardableResult
    func wait(for status: ConnectivityStatus) async throws -> Event {
        try await wait { $0.connectivity == status }
    }

    /// The next event; nil at the end.
    func next() async throws -> Event? {
        let answer = await withTaskGroup(of: Answer.self) { [iterator, limit] group in
            group.addTask {
                var iterator = iterator
                return .event(await iterator.next())
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return .late
            }
            defer { group.cancelAll() }
            return await group.next() ?? .late
        }
        guard case .event(let event) = answer else { throw NotSeen(seen: seen) }
        if let event { seen.append(event) }
        return event
    }

    private enum Answer {
        case event(Event?)
        case late
    }
}
