import CNetlink

/// The kernel's multicast groups of rtnetlink news (`RTNLGRP_*` of `linux/rtnetlink.h`).
public struct NetlinkGroups: OptionSet, Hashable, Sendable {
    /// Bit N stands for group number N.
    public let rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// RTNLGRP_LINK.
    public static let link = NetlinkGroups(RTNLGRP_LINK)
    /// RTNLGRP_IPV4_IFADDR.
    public static let ipv4Address = NetlinkGroups(RTNLGRP_IPV4_IFADDR)
    /// RTNLGRP_IPV6_IFADDR.
    public static let ipv6Address = NetlinkGroups(RTNLGRP_IPV6_IFADDR)
    /// RTNLGRP_IPV4_ROUTE.
    public static let ipv4Route = NetlinkGroups(RTNLGRP_IPV4_ROUTE)
    /// RTNLGRP_IPV6_ROUTE.
    public static let ipv6Route = NetlinkGroups(RTNLGRP_IPV6_ROUTE)
    /// RTNLGRP_IPV4_RULE.
    public static let ipv4Rule = NetlinkGroups(RTNLGRP_IPV4_RULE)
    /// RTNLGRP_IPV6_RULE.
    public static let ipv6Rule = NetlinkGroups(RTNLGRP_IPV6_RULE)
    /// RTNLGRP_NEXTHOP.
    public static let nexthop = NetlinkGroups(RTNLGRP_NEXTHOP)
    /// RTNLGRP_IPV4_NETCONF: settings such as `ignore_routes_with_linkdown`, which change answers with no other news.
    public static let ipv4Netconf = NetlinkGroups(RTNLGRP_IPV4_NETCONF)
    /// RTNLGRP_IPV6_NETCONF.
    public static let ipv6Netconf = NetlinkGroups(RTNLGRP_IPV6_NETCONF)

    /// RTNLGRP_ND_USEROPT: what routers advertise for programs: DNS servers, search domains, a portal's address. Not in
    /// ``all``.
    public static let neighbourDiscoveryOption = NetlinkGroups(RTNLGRP_ND_USEROPT)

    /// RTNLGRP_IPV6_PREFIX: a router has advertised a prefix. It may have changed the lifetime of its default route, too, of
    /// which the kernel tells nothing.
    public static let ipv6Prefix = NetlinkGroups(RTNLGRP_IPV6_PREFIX)

    /// All that can change how traffic leaves. Neighbours are not among them: an ARP storm would burn a core.
    public static let all: NetlinkGroups = [
        .link, .ipv4Address, .ipv6Address, .ipv4Route, .ipv6Route, .ipv4Rule, .ipv6Rule, .nexthop, .ipv4Netconf,
        .ipv6Netconf, .ipv6Prefix,
    ]

    private init(_ group: rtnetlink_groups) {
        rawValue = 1 << UInt64(group.rawValue)
    }

    /// The group numbers, as NETLINK_ADD_MEMBERSHIP wants them.
    var numbers: [CInt] {
        (0..<CInt(64)).filter { rawValue & (1 << UInt64($0)) != 0 }
    }
}
