public import Connectivity
internal import EventLoop
internal import Synchronization

extension ConnectivityMonitor {
    /// Waits until the state is as wanted, driven by events alone.
    ///
    /// - Parameters:
    ///   - condition: What the state has to be like.
    ///   - timeout: How long at most; nil for ever.
    /// - Returns: The state that is as wanted; nil where the time is over or the task was cancelled. ``current`` then tells
    ///   what is missing. Nothing is known before the monitor is started, and the time runs all the same.
    public nonisolated func wait(for condition: WaitCondition, timeout: Duration? = nil) async -> Event? {
        let wait = Wait(hub: hub)
        let alarm = await Alarm(after: timeout, on: self) { wait.end() }
        defer { alarm?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait.begin(condition, $0) }
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

    func begin(_ condition: WaitCondition, _ continuation: CheckedContinuation<Event?, Never>) {
        let id = hub.addWaiter(condition) { continuation.resume(returning: $0) }
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

/// The end of a wait's time, by the loop that the monitor runs on or will run on.
private struct Alarm {
    private let loop: EventLoop
    private let timer: LoopTimer

    /// Nil where there is no time to be over. Without a loop, for want of descriptors for example, the time is over at once.
    init?(after limit: Duration?, on monitor: ConnectivityMonitor, _ ring: @escaping @Sendable () -> Void) async {
        guard let limit else { return nil }
        let deadline = MonotonicTime.now.advanced(by: limit)
        guard let loop = try? await monitor.sharedLoop() else {
            ring()
            return nil
        }
        self.loop = loop
        timer = loop.schedule(at: deadline, handler: ring)
    }

    func cancel() {
        loop.cancel(timer)
    }
}
