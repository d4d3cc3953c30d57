/// Where a callback is called.
public enum CallbackExecution: Sendable {
    /// On the monitor's own loop, with no hop in between: the callback must return at once.
    case loop
    /// As a task on an executor.
    case executor(any TaskExecutor)
    /// Wherever the closure runs the work it is given: a dispatch queue, a run loop, a thread.
    case custom(@Sendable (_ work: @escaping @Sendable () -> Void) -> Void)
}
