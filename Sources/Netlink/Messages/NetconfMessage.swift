public import NetworkAddress

/// A device's settings that change routing, as told by RTM_NEWNETCONF (`linux/netconf.h`).
public struct NetconfMessage: Hashable, Sendable, Codable {
    public var family: AddressFamily
    /// The device, or nil for `all` and `default`.
    public var index: UInt32? = nil
    /// `net.ipv4.conf.*.rp_filter`: 0 off, 1 strict, 2 loose.
    public var reversePathFilter: UInt32? = nil
    public var forwarding: Bool? = nil
    /// `ignore_routes_with_linkdown`: whether the kernel passes over routes whose device has no carrier.
    public var ignoresRoutesWithLinkDown: Bool? = nil

    public init(family: AddressFamily) {
        self.family = family
    }
}
