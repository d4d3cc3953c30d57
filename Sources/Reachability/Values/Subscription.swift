/// A callback's place among those of a monitor. It lasts until it is cancelled, also while the monitor is stopped.
public struct Subscription: Sendable {
    private let end: @Sendable () -> Void

    package init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends the callbacks, from any thread. One that is running at this moment still ends.
    public func cancel() {
        end()
    }
}
