internal import EventLoop
internal import Synchronization

extension ConnectivityMonitor {
    /// Waits until the state is as wanted, driven by events alone.
    ///
    /// - Parameter timeout: How long at most; nil for ever.
    /// - Returns: The state that is as wanted; nil where the time is over or the task was cancelled. ``current`` then tells
    ///   what is missing. The monitor has to be started.
    public nonisolated func wait(for condition: WaitCondition, timeout: Duration? = nil) async -> Event? {
        let wait = Wait(hub: hub)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait.begin(condition, timeout, $0) }
        } onCancel: {
            wait.end()
        }
    }
}

/// One wait. The state, the time-out and the task's cancellation race for its continuation, which is resumed once.
private final class Wait: Sendable {
    private struct State {
        var id: UInt64?
        var isEnded = false
    }

    private let hub: EventHub
    private let state = Mutex(State())

    init(hub: EventHub) {
        self.hub = hub
    }

    func begin(_ condition: WaitCondition, _ timeout: Duration?, _ continuation: CheckedContinuation<Event?, Never>) {
        let deadline = timeout.map { MonotonicTime.now.advanced(by: $0) }
        let id = hub.addWaiter(condition, until: deadline) { continuation.resume(returning: $0) }
        let isEnded = state.withLock { state in
            state.id = id
            return state.isEnded
        }
        if isEnded { hub.endWaiter(id) }
    }

    func end() {
        let id = state.withLock { state in
            state.isEnded = true
            return state.id
        }
        if let id { hub.endWaiter(id) }
    }
}
