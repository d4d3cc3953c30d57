import CNetwatch

/// A function of the caller's, and what it wants to be given with each call.
@safe
struct Callback: Sendable {
    /// Safe, as the context is, because it is the caller's promise that both may be used on the monitor's thread (netwatch.h).
    private nonisolated(unsafe) let function: netwatch_callback
    /// Only handed back.
    private nonisolated(unsafe) let context: UnsafeMutableRawPointer?

    init(function: @escaping netwatch_callback, context: UnsafeMutableRawPointer?) {
        unsafe self.function = function
        unsafe self.context = context
    }

    func call(_ event: String) {
        unsafe function(event, context)
    }
}
