public import NetworkAddress

/// How traffic of one family leaves this host.
public struct FamilyPath: Hashable, Sendable, Codable {
    public var isUsable: Bool
    /// Why it is not usable, or not whole; nil for a clean path.
    public var reason: PathReason? = nil
    public var medium: Medium? = nil
    /// The interface the kernel chose, shown also where the path is not usable.
    public var interface: String? = nil
    public var interfaceIndex: UInt32? = nil
    /// The chain of links underneath, the chosen interface first.
    public var via: [String] = []
    public var gateway: IPAddress? = nil
    public var source: IPAddress? = nil
    /// The routing table and the metric of the route that matched; nil where the kernel named another route, as it may for
    /// IPv6 routes that share a nexthop object.
    public var table: UInt32? = nil
    public var metric: UInt32? = nil
    /// The legs of a multipath route; empty where there is only one way.
    public var legs: [Leg] = []
    /// The kernel's own answer in the words of `ip route get`, for comparison with ours: asked with `from`, too, where
    /// there is no way but for packets of one source.
    public var kernel: String? = nil

    /// One leg of a multipath route.
    public struct Leg: Hashable, Sendable, Codable {
        public var interface: String
        public var gateway: IPAddress?
        public var isUsable: Bool

        public init(interface: String, gateway: IPAddress?, isUsable: Bool) {
            self.interface = interface
            self.gateway = gateway
            self.isUsable = isUsable
        }
    }

    public init(isUsable: Bool, reason: PathReason? = nil) {
        self.isUsable = isUsable
        self.reason = reason
    }
}
