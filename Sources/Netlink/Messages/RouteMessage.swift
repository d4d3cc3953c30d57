public import NetworkAddress

/// A route as told by RTM_NEWROUTE and RTM_DELROUTE, and the kernel's answer to RTM_GETROUTE (`linux/rtnetlink.h`).
public struct RouteMessage: Hashable, Sendable, Codable {
    /// RTA_DST with `rtm_dst_len`; the default route is the block of all addresses.
    public var destination: IPPrefix
    /// RTA_SRC with `rtm_src_len`: the sources that the route is for, in IPv6 alone (`from PREFIX`); nil for all.
    public var source: IPPrefix? = nil
    public var table: UInt32
    /// The program or protocol that made it (`RTPROT_*`).
    public var `protocol`: UInt8 = 0
    /// RT_SCOPE_*.
    public var scope: UInt8 = 0
    public var type: RouteType
    /// RTNH_F_* of a route with a single leg, and RTM_F_*.
    public var flags: RouteFlags = []
    /// The device of a route with a single leg (RTA_OIF).
    public var outputInterface: UInt32? = nil
    /// RTA_GATEWAY, or RTA_VIA where it is of another family.
    public var gateway: IPAddress? = nil
    /// RTA_PREFSRC.
    public var preferredSource: IPAddress? = nil
    /// The metric (RTA_PRIORITY): the lowest wins.
    public var priority: UInt32 = 0
    /// The legs of a multipath route (RTA_MULTIPATH); empty for a route with a single leg.
    public var nextHops: [NextHop] = []
    /// The nexthop object the route refers to (RTA_NH_ID).
    public var nexthopID: UInt32? = nil
    /// Seconds until the route is gone (RTA_CACHEINFO), negative once it is unusable; nil where it does not expire.
    public var expires: Int32? = nil
    /// The same to a hundredth of a second; nil where it does not expire, or has expired.
    public var remaining: Duration? = nil

    public init(destination: IPPrefix, table: UInt32, type: RouteType) {
        self.destination = destination
        self.table = table
        self.type = type
    }
}

/// One leg of a multipath route (`struct rtnexthop`).
public struct NextHop: Hashable, Sendable, Codable {
    public var outputInterface: UInt32
    public var gateway: IPAddress?
    /// RTNH_F_*.
    public var flags: RouteFlags
    /// The share of flows it takes, 1 to 256.
    public var weight: UInt16

    public init(outputInterface: UInt32, gateway: IPAddress?, flags: RouteFlags = [], weight: UInt16 = 1) {
        self.outputInterface = outputInterface
        self.gateway = gateway
        self.flags = flags
        self.weight = weight
    }
}

/// RTN_*: what the kernel does with packets that match.
public enum RouteType: UInt8, Hashable, Sendable, Codable {
    case unspecified = 0
    case unicast = 1
    case local = 2
    case broadcast = 3
    case anycast = 4
    case multicast = 5
    case blackhole = 6
    case unreachable = 7
    case prohibit = 8
    case `throw` = 9
    case nat = 10
    case externalResolve = 11
}

/// RTNH_F_* (the low bits) and RTM_F_* flags of a route or a leg.
public struct RouteFlags: OptionSet, Hashable, Sendable, Codable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// RTNH_F_DEAD: the device is down.
    public static let dead = RouteFlags(rawValue: 1)
    /// RTNH_F_ONLINK.
    public static let onLink = RouteFlags(rawValue: 4)
    /// RTNH_F_LINKDOWN: the device has no carrier; the kernel may choose it all the same.
    public static let linkDown = RouteFlags(rawValue: 16)
}
