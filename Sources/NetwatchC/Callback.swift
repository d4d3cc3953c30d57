import CNetwatch

/// A function of the caller's, and what it wants to be given with each call.
struct Callback: Sendable {
    private let function: @convention(c) @Sendable (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void
    /// Safe because it is only handed back: it is the caller's promise that it may be used on the monitor's thread.
    private nonisolated(unsafe) let context: UnsafeMutableRawPointer?

    init(function: @escaping netwatch_callback, context: UnsafeMutableRawPointer?) {
        self.function = unsafeBitCast(
            function, to: (@convention(c) @Sendable (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void).self)
        self.context = context
    }

    func call(_ event: String) {
        function(event, context)
    }
}
