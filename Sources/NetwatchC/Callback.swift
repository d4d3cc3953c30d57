import CNetwatch

/// A function of the caller's, and what it wants to be given with each call.
///
/// The context is only handed back: it is the caller's promise that it may be used on the monitor's thread.
struct Callback: Sendable {
    private let function: @convention(c) @Sendable (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void
    private let context: UInt

    init(function: @escaping netwatch_callback, context: UnsafeMutableRawPointer?) {
        self.function = unsafeBitCast(
            function, to: (@convention(c) @Sendable (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void).self)
        self.context = UInt(bitPattern: context)
    }

    func call(_ event: String) {
        function(event, UnsafeMutableRawPointer(bitPattern: context))
    }
}
