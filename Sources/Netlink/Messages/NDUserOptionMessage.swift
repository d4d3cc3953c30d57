public import NetworkAddress

/// An option of an IPv6 router advertisement that the kernel leaves to programs (RTM_NEWNDUSEROPT).
///
/// Any host on the link can send one.
public struct NDUserOptionMessage: Hashable, Sendable, Codable {
    /// The device it came in by.
    public var index: UInt32
    /// The router's link-local address (NDUSEROPT_SRCADDR).
    public var router: IPAddress? = nil
    public var option: Option

    /// The options that matter here.
    public enum Option: Hashable, Sendable, Codable {
        /// RFC 8106 section 5.1: resolvers, and for how many seconds they may be used.
        case recursiveDNSServers([IPAddress], lifetime: UInt32)
        /// RFC 8106 section 5.2: search domains, and for how many seconds they may be used.
        case searchDomains([String], lifetime: UInt32)
        /// RFC 8910 section 2.3: where the portal's API is, as the router wrote it: a URI, in a sane network.
        case captivePortal(String)
        /// A prefix of the link's (RFC 4861, section 4.6.2), which the kernel tells in a message of its own (RTM_NEWPREFIX).
        case prefix(IPPrefix)
        /// Another option, by its number (PREF64 is 38).
        case other(type: UInt8, body: [UInt8])
    }

    public init(index: UInt32, option: Option) {
        self.index = index
        self.option = option
    }
}
