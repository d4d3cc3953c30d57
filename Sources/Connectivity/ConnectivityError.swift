public import EventLoop

/// Why a ``ConnectivityMonitor`` could not start.
public enum ConnectivityError: Error, Sendable {
    /// The configuration names a target that cannot be probed.
    case target(TargetError)
    /// A number in the configuration is out of range.
    case value(name: String, range: String)
    /// The monitor's thread could not be started.
    case loop(EventLoopError)
    /// The path cannot be watched.
    case path(any Error)
}

extension ConnectivityError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .target(let error): error.description
        case .value(let name, let range): "the configuration's \(name) is out of range; it has to be \(range)"
        case .loop(let error): error.description
        case .path(let error): "\(error)"
        }
    }
}
