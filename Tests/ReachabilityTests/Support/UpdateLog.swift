import EventLoop
import Reachability
import Synchronization

/// The updates that a monitor has published, and the tests that wait for one of them.
final class UpdateLog: Sendable {
    private struct Waiter {
        let id: UInt64
        let condition: @Sendable (Path) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var updates: [PathUpdate] = []
        var latest = Path.unknown
        var arrivals: [MonotonicTime] = []
        var waiters: [Waiter] = []
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    var updates: [PathUpdate] { state.withLock { $0.updates } }
    var transitions: [PathUpdate] { updates.filter(\.isTransition) }

    /// When the first update came that meets a condition.
    func arrival(of condition: (Path) -> Bool) -> MonotonicTime? {
        state.withLock { state in
            zip(state.updates, state.arrivals).first { condition($0.0.path) }?.1
        }
    }

    func clear() {
        state.withLock { state in
            state.updates = []
            state.arrivals = []
        }
    }

    func append(_ update: PathUpdate) {
        let ready = state.withLock { state in
            state.updates.append(update)
            state.latest = update.path
            state.arrivals.append(.now)
            let ready = state.waiters.filter { $0.condition(update.path) }
            state.waiters.removeAll { $0.condition(update.path) }
            return ready
        }
        for waiter in ready { waiter.continuation.resume(returning: true) }
    }

    /// Waits for a path that meets a condition; false where none came in time.
    func wait(
        _ loop: EventLoop, limit: Duration, until condition: @escaping @Sendable (Path) -> Bool
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            let id: UInt64? = state.withLock { state in
                if condition(state.latest) { return nil }
                state.nextID += 1
                state.waiters.append(Waiter(id: state.nextID, condition: condition, continuation: continuation))
                return state.nextID
            }
            guard let id else { return continuation.resume(returning: true) }
            loop.schedule(after: limit) { self.giveUp(id) }
        }
    }

    private func giveUp(_ id: UInt64) {
        let waiter = state.withLock { state in
            let index = state.waiters.firstIndex { $0.id == id }
            return index.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }
}
