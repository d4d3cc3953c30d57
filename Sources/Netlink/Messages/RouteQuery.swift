public import NetworkAddress

/// A question to the kernel's forwarding information base (RTM_GETROUTE): how would such a packet leave?
public struct RouteQuery: Hashable, Sendable, Codable {
    public var destination: IPAddress
    /// The packet's own source (RTA_SRC), for rules that look at it; nil for one that the kernel is to choose. IPv4
    /// refuses any that is no address of this host's.
    public var source: IPAddress? = nil
    /// Only ways out of this device count (RTA_OIF).
    public var outputInterface: UInt32? = nil
    /// The packet's mark (RTA_MARK). Asking with a mark takes no privilege.
    public var mark: UInt32? = nil
    /// The user whose packet it is (RTA_UID); nil means the user of this process.
    public var userID: UInt32? = nil
    /// IPPROTO_* and the destination port, for rules that look at them.
    public var ipProtocol: UInt8? = nil
    public var destinationPort: UInt16? = nil

    public init(destination: IPAddress, outputInterface: UInt32? = nil, mark: UInt32? = nil) {
        self.destination = destination
        self.outputInterface = outputInterface
        self.mark = mark
    }
}

/// What the kernel answered to a ``RouteQuery``.
public enum RouteAnswer: Hashable, Sendable, Codable {
    /// A route matched.
    ///
    /// - `match`: The matching entry itself (RTM_F_FIB_MATCH): table, metric, all legs and their state.
    /// - `chosen`: The plain look-up beside it: the leg this destination takes and the source address.
    indirect case route(match: RouteMessage, chosen: RouteMessage?)
    /// A reject route matched: `blackhole` (EINVAL), `unreachable` (EHOSTUNREACH) or `prohibit` (EACCES).
    case rejected(RouteType)
    /// Nothing matched (ENETUNREACH).
    case noRoute
}
