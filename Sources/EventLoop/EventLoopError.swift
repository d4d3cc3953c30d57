public import SystemPackage

/// Why an ``EventLoop`` could not be made, or could not do what it was asked.
public enum EventLoopError: Error, Hashable, Sendable {
    /// A system call failed while the loop was set up: its name and what the kernel answered.
    case setup(call: String, Errno)
    /// The descriptor could not be watched.
    case watch(descriptor: CInt, Errno)
    /// The loop's thread could not enter the network namespace it was told to.
    case namespace(Errno)
    /// The loop was shut down before.
    case shutDown
}

extension EventLoopError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .setup(let call, let errno):
            "the event loop could not start: \(call): \(errno)"
        case .watch(let descriptor, let errno):
            "the event loop cannot watch descriptor \(descriptor): \(errno)"
        case .namespace(let errno):
            "the event loop cannot enter the network namespace: \(errno)"
        case .shutDown:
            "the event loop was shut down"
        }
    }
}
