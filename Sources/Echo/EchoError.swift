internal import EventLoop
public import NetworkAddress
public import SystemPackage

/// Why an echo request was not answered.
public enum EchoError: Error, Hashable, Sendable {
    /// This user may not open an ICMP socket: `net.ipv4.ping_group_range` leaves its groups out (icmp(7)).
    case notPermitted
    /// The socket could not be bound to the interface; nothing was sent.
    case interfaceRefused(String, Errno)
    /// The request could not be sent, or a router or the kernel answered that it cannot be delivered.
    case unreachable(IPAddress, Errno)
    /// Nothing answered in time.
    case timedOut(IPAddress, after: Duration)
    /// A socket could not be set up: the call that failed and what the kernel said.
    case socket(call: String, Errno)
    /// 65,536 requests are on their way already: no number is left for one more.
    case tooManyRequests
    /// The task was cancelled.
    case cancelled
}

extension EchoError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notPermitted:
            "ICMP echo is not permitted: allow it with `sysctl net.ipv4.ping_group_range=\"0 2147483647\"`"
        case .interfaceRefused(let interface, let errno): "an echo request cannot be bound to \(interface): \(errno)"
        case .unreachable(let address, let errno): "\(address) cannot be reached: \(errno)"
        case .timedOut(let address, let time): "\(address) did not answer an echo request within \(time.words)"
        case .socket(let call, let errno): "ICMP echo is not available: \(call): \(errno)"
        case .tooManyRequests: "too many echo requests are on their way"
        case .cancelled: "the echo request was cancelled"
        }
    }
}
