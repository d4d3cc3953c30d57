internal import EventLoop

extension EventLoop {
    /// Waits for what this loop's thread will give, and goes on there at once.
    ///
    /// A continuation is resumed where its task prefers to run, which is mostly the concurrent pool, and only then led back to
    /// the actor that has waited: a thread of the pool would wake up for each answer, to wake up the loop's in turn. With a
    /// preference for this loop while it waits, the task has its next turn on this very thread.
    ///
    /// - Parameters:
    ///   - cancelled: Stands for what `body` would have given where the task is cancelled before it is called: between the
    ///     handler of the cancellation and the body the loop may have another turn, in which the handler finds nothing to end.
    func resumingHere<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (CheckedContinuation<Value, Never>) -> Void, cancelled: () -> Value, onCancel: @Sendable () -> Void
    ) async -> Value {
        func begin(_ continuation: CheckedContinuation<Value, Never>) {
            if Task.isCancelled { continuation.resume(returning: cancelled()) } else { body(continuation) }
        }
        guard !isPreferred else {
            return await withTaskCancellationHandler {
                await withCheckedContinuation { begin($0) }
            } onCancel: {
                onCancel()
            }
        }
        return await withTaskExecutorPreference(self) {
            await withTaskCancellationHandler {
                await withCheckedContinuation { begin($0) }
            } onCancel: {
                onCancel()
            }
        }
    }

    private var isPreferred: Bool {
        unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }
}
