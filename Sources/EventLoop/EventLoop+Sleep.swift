extension EventLoop {
    /// Suspends the task until a time, by this loop's own timer and with no other thread involved.
    ///
    /// Throws as soon as the task is cancelled.
    public func sleep(until deadline: MonotonicTime) async throws(CancellationError) {
        let isCancelled = await FirstOutcome<Bool>(loop: self).value(ifCancelled: true) {
            $0.finish(false, at: deadline)
        }
        if isCancelled { throw CancellationError() }
    }

    /// Suspends the task for a while, by this loop's own timer and with no other thread involved.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        try await sleep(until: .now.advanced(by: duration))
    }
}
