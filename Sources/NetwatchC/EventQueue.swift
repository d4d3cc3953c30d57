import CLinux
import DequeModule
import EventLoop
import Glibc
import Netwatch
import Synchronization
import SystemPackage

/// Events for a caller with a loop of its own: a descriptor that poll(2) finds readable while there are any, and the
/// events one by one. What the caller does not take becomes one event, as with every slow reader of a monitor.
final class EventQueue: Sendable {
    private struct State {
        var events: Deque<Event> = []
        /// Fetches the events that the monitor keeps for this queue.
        var fetch: (@Sendable () -> Void)?
        var isReadable = false
    }

    /// An `eventfd(2)` of the queue's own.
    let descriptor: CInt
    private let state = Mutex(State())

    init() throws {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw EventLoopError.setup(call: "eventfd", Errno(rawValue: errno)) }
    }

    deinit {
        close(descriptor)
    }

    /// Notes that there is something to fetch. Called on the monitor's loop.
    func arrived(_ fetch: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.fetch = fetch
            makeReadable(&state)
        }
    }

    /// Takes in an event that was fetched.
    func take(_ event: Event) {
        state.withLock { state in
            state.events.append(event)
            makeReadable(&state)
        }
    }

    /// The next event; nil where there is none, and the descriptor is not readable any more.
    func next() -> Event? {
        // Again where nothing was fetched but more has come: a reader that waits for edges (epoll(7)) is woken for that once.
        while true {
            let fetch = state.withLock { $0.events.isEmpty ? $0.fetch.take() : nil }
            fetch?()
            let (event, isOver) = state.withLock { state -> (Event?, Bool) in
                let event = state.events.popFirst()
                let isQuiet = state.events.isEmpty && state.fetch == nil
                if isQuiet { makeQuiet(&state) }
                return (event, event != nil || isQuiet)
            }
            if isOver { return event }
        }
    }

    private func makeReadable(_ state: inout State) {
        guard !state.isReadable else { return }
        var one: UInt64 = 1
        state.isReadable = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size) > 0
    }

    private func makeQuiet(_ state: inout State) {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
        state.isReadable = false
    }
}
