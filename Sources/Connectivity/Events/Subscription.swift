/// A callback's place among a monitor's subscribers. It lasts until it is cancelled, also while the monitor is stopped.
public struct Subscription: Sendable {
    let id: UInt64
    let hub: EventHub

    /// Ends the callbacks. One that is running at this moment still ends.
    public func cancel() {
        hub.remove(id)
    }
}

/// Where a callback is called.
public enum CallbackExecution: Sendable {
    /// On the monitor's own loop, with no hop in between: the callback must return at once.
    case loop
    /// As a task on an executor.
    case executor(any TaskExecutor)
    /// Wherever the closure runs the work it is given: a dispatch queue, a run loop, a thread.
    case custom(@Sendable (_ work: @escaping @Sendable () -> Void) -> Void)
}
