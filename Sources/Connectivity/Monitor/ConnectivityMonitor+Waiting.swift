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
        var timer: Task<Void, Never>?
    }

    private let hub: EventHub
    private let state = Mutex(State())

    init(hub: EventHub) {
        self.hub = hub
    }

    func begin(_ condition: WaitCondition, _ timeout: Duration?, _ continuation: CheckedContinuation<Event?, Never>) {
        let id = hub.addWaiter(condition) { event in
            self.state.withLock { $0.timer.take() }?.cancel()
            continuation.resume(returning: event)
        }
        let isEnded = state.withLock { state in
            state.id = id
            return state.isEnded
        }
        if isEnded { hub.endWaiter(id) }
        guard let timeout else { return }
        let timer = Task {
            try? await Task.sleep(for: timeout)
            self.hub.endWaiter(id)
        }
        state.withLock { $0.timer = timer }
    }

    func end() {
        let id = state.withLock { state in
            state.isEnded = true
            return state.id
        }
        if let id { hub.endWaiter(id) }
    }
}
