import Synchronization

extension EventLoop {
    /// Suspends the task until a time, by this loop's own timer and with no other thread involved.
    ///
    /// Throws as soon as the task is cancelled.
    public func sleep(until deadline: MonotonicTime) async throws(CancellationError) {
        let sleeper = Sleeper(loop: self)
        let isCancelled = await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper.start(until: deadline, $0) }
        } onCancel: {
            sleeper.finish(isCancelled: true)
        }
        if isCancelled { throw CancellationError() }
    }

    /// Suspends the task for a while, by this loop's own timer and with no other thread involved.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        try await sleep(until: .now.advanced(by: duration))
    }
}

/// One sleeping task: its timer and its cancellation race for the continuation, which is resumed exactly once.
private final class Sleeper: Sendable {
    private enum State {
        case waiting
        case asleep(CheckedContinuation<Bool, Never>, Timer)
        case finished(isCancelled: Bool)
    }

    private let loop: EventLoop
    private let state = Mutex(State.waiting)

    init(loop: EventLoop) {
        self.loop = loop
    }

    func start(until deadline: MonotonicTime, _ continuation: CheckedContinuation<Bool, Never>) {
        let outcome: Bool? = state.withLock { state in
            if case .finished(let isCancelled) = state { return isCancelled }
            state = .asleep(continuation, loop.schedule(at: deadline) { self.finish(isCancelled: false) })
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    func finish(isCancelled: Bool) {
        let asleep: (CheckedContinuation<Bool, Never>, Timer)? = state.withLock { state in
            defer { if case .finished = state {} else { state = .finished(isCancelled: isCancelled) } }
            guard case .asleep(let continuation, let timer) = state else { return nil }
            return (continuation, timer)
        }
        guard let (continuation, timer) = asleep else { return }
        loop.cancel(timer)
        continuation.resume(returning: isCancelled)
    }
}
