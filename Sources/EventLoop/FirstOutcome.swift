import Synchronization

/// A wait that several things race to end: a descriptor that becomes ready, a time, the task's cancellation, a call from
/// anywhere. The first of them gives the outcome, and all the others are ended with it.
package final class FirstOutcome<Outcome: Sendable>: Sendable {
    private struct State {
        var outcome: Outcome?
        var continuation: CheckedContinuation<Outcome, Never>?
        var watches: [Watch] = []
        var timers: [LoopTimer] = []
    }

    private let loop: EventLoop
    private let state = Mutex(State())

    package init(loop: EventLoop) {
        self.loop = loop
    }

    /// Suspends the task until there is an outcome. To be called once.
    ///
    /// - Parameters:
    ///   - cancelled: The outcome where the task is cancelled first.
    ///   - begin: Sets off what may end it. Not called where it has ended before. Not always called on the caller's executor.
    package func value(ifCancelled cancelled: Outcome, _ begin: (FirstOutcome) -> Void) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if wait(continuation) { begin(self) }
            }
        } onCancel: {
            finish(cancelled)
        }
    }

    /// Whether there is an outcome.
    package var isOver: Bool { state.withLock { $0.outcome != nil } }

    private func wait(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let early: Outcome? = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let early { continuation.resume(returning: early) }
        return early == nil
    }

    /// Ends it with this outcome, where no other has come before.
    ///
    /// - Returns: Whether none had.
    @discardableResult
    package func finish(_ outcome: Outcome) -> Bool {
        let ended: State? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            defer { state = State(outcome: outcome) }
            return state
        }
        guard let ended else { return false }
        for watch in ended.watches { loop.end(watch) }
        for timer in ended.timers { loop.cancel(timer) }
        ended.continuation?.resume(returning: outcome)
        return true
    }

    // MARK: What may end it

    /// Ends it with this outcome once the time has come.
    package func finish(_ outcome: Outcome, at deadline: MonotonicTime) {
        let timer = loop.schedule(at: deadline) { self.finish(outcome) }
        let isOver = state.withLock { state in
            if state.outcome == nil { state.timers.append(timer) }
            return state.outcome != nil
        }
        if isOver { loop.cancel(timer) }
    }

    /// Calls a handler on the loop's thread whenever a descriptor is ready, until it has ended. The descriptor has to stay
    /// open until then.
    package func watch(
        _ descriptor: CInt, for interest: Readiness, _ handler: @escaping @Sendable (FirstOutcome) -> Void
    ) throws(EventLoopError) {
        let watch = try loop.watch(descriptor, for: interest) { _ in handler(self) }
        let isOver = state.withLock { state in
            if state.outcome == nil { state.watches.append(watch) }
            return state.outcome != nil
        }
        if isOver { loop.end(watch) }
    }
}
