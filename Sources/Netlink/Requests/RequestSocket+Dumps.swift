import CNetlink
public import NetworkAddress
import SystemPackage

extension RequestSocket {
    /// All devices of the namespace, without their counters (RTEXT_FILTER_SKIP_STATS), which are a quarter of the bytes.
    public mutating func links() throws(NetlinkError) -> Dump<LinkMessage> {
        let request = try NetlinkRequest(RTM_GETLINK, dump: true, header: ifinfomsg())
        try request.put(IFLA_EXT_MASK, UInt32(RTEXT_FILTER_SKIP_STATS))
        return try conversation.dump(request) { (message) throws(NetlinkError) in try message.link() }
    }

    /// One device, or nil where there is none of that number.
    public mutating func link(index: UInt32) throws(NetlinkError) -> LinkMessage? {
        var header = ifinfomsg()
        header.ifi_index = Int32(bitPattern: index)
        return try link(NetlinkRequest(RTM_GETLINK, about: .link(index), header: header))
    }

    /// One device by its name or one of its altnames, however long (up to 127 bytes); nil where there is none.
    public mutating func link(name: String) throws(NetlinkError) -> LinkMessage? {
        let request = try NetlinkRequest(RTM_GETLINK, about: .name(name), header: ifinfomsg())
        try request.put(name.utf8.count < IFNAMSIZ ? IFLA_IFNAME : IFLA_ALT_IFNAME, name)
        return try link(request)
    }

    private mutating func link(_ request: consuming NetlinkRequest) throws(NetlinkError) -> LinkMessage? {
        try request.put(IFLA_EXT_MASK, UInt32(RTEXT_FILTER_SKIP_STATS))
        return try absent(.operationNotSupportedByDevice) { (socket) throws(NetlinkError) in
            try socket.conversation.first(request) { (message) throws(NetlinkError) in try message.link() }
        }
    }

    /// All IPv4 and IPv6 addresses of the namespace.
    public mutating func addresses() throws(NetlinkError) -> Dump<AddressMessage> {
        let ipv4 = try addresses(.ipv4)
        let ipv6 = try addresses(.ipv6)
        return Dump(values: ipv4.values + ipv6.values, wasInterrupted: ipv4.wasInterrupted || ipv6.wasInterrupted)
    }

    /// All addresses of one family.
    public mutating func addresses(_ family: AddressFamily) throws(NetlinkError) -> Dump<AddressMessage> {
        var header = ifaddrmsg()
        header.ifa_family = family.kernelValue
        return try dump(NetlinkRequest(RTM_GETADDR, about: .family(family), dump: true, header: header)) {
            (message) throws(NetlinkError) in
            guard case .address(.new, let address) = try NetlinkMessageParser.parse(message) else { return nil }
            return address.address.family == family ? address : nil
        }
    }

    /// All policy rules of one family.
    public mutating func rules(_ family: AddressFamily) throws(NetlinkError) -> Dump<RuleMessage> {
        var header = fib_rule_hdr()
        header.family = family.kernelValue
        return try dump(NetlinkRequest(RTM_GETRULE, about: .family(family), dump: true, header: header)) {
            (message) throws(NetlinkError) in
            guard case .rule(.new, let rule) = try NetlinkMessageParser.parse(message) else { return nil }
            return rule.family == family ? rule : nil
        }
    }

    /// All nexthop objects.
    public mutating func nexthops() throws(NetlinkError) -> Dump<NexthopMessage> {
        try conversation.dump(NetlinkRequest(RTM_GETNEXTHOP, dump: true, header: nhmsg())) {
            (message) throws(NetlinkError) in
            try message.nexthop()
        }
    }

    /// One nexthop object, or nil where there is none of that number.
    public mutating func nexthop(_ id: UInt32) throws(NetlinkError) -> NexthopMessage? {
        let request = try NetlinkRequest(RTM_GETNEXTHOP, about: .nexthop(id), header: nhmsg())
        try request.put(NHA_ID, id)
        return try absent(.noSuchFileOrDirectory) { (socket) throws(NetlinkError) in
            try socket.conversation.first(request) { (message) throws(NetlinkError) in try message.nexthop() }
        }
    }

    /// The settings that change routing, of every device and of `all` and `default`.
    public mutating func netconfs(_ family: AddressFamily) throws(NetlinkError) -> Dump<NetconfMessage> {
        let header = netconfmsg(ncm_family: family.kernelValue)
        return try dump(NetlinkRequest(RTM_GETNETCONF, about: .family(family), dump: true, header: header)) {
            (message) throws(NetlinkError) in
            guard case .netconf(.new, let settings) = try NetlinkMessageParser.parse(message) else { return nil }
            return settings.family == family ? settings : nil
        }
    }

    /// What the neighbour table says of an address on a link, or nil where it has no entry.
    public mutating func neighbour(_ address: IPAddress, index: UInt32) throws(NetlinkError) -> NeighbourMessage? {
        var header = ndmsg()
        header.ndm_family = address.family.kernelValue
        header.ndm_ifindex = Int32(bitPattern: index)
        let request = try NetlinkRequest(RTM_GETNEIGH, about: .neighbour(address, link: index), header: header)
        try request.put(NDA_DST, address)
        return try absent(.noSuchFileOrDirectory) { (socket) throws(NetlinkError) in
            try socket.conversation.first(request) { (message) throws(NetlinkError) in
                try NeighbourParser.parse(message)
            }
        }
    }

    /// A dump of one family, which is empty where the kernel has no such family.
    private mutating func dump<Value>(
        _ request: consuming NetlinkRequest, _ parse: (Message) throws(NetlinkError) -> Value?
    ) throws(NetlinkError) -> Dump<Value> {
        do throws(NetlinkError) {
            return try conversation.dump(request, parse)
        } catch {
            guard case .refused(_, let errno, _) = error, errno.meansNoSuchFamily else { throw error }
            return Dump(values: [])
        }
    }

    /// An answer, or nil where the kernel says by this error that there is no such thing.
    private mutating func absent<Value>(
        _ absence: Errno, _ ask: (inout RequestSocket) throws(NetlinkError) -> Value?
    ) throws(NetlinkError) -> Value? {
        do throws(NetlinkError) {
            return try ask(&self)
        } catch {
            guard case .refused(_, absence, _) = error else { throw error }
            return nil
        }
    }

    /// The routes of one type in one table. The kernel passes over all others, so that a full table costs no more than the
    /// way through it (`fib_dump_filter`, Linux 4.20); without such a table there are none.
    ///
    /// Made for the few that reject: asked for the type `unicast` it would bring a whole routing table.
    public mutating func routes(
        _ family: AddressFamily, type: RouteType, in table: UInt32
    ) throws(NetlinkError) -> Dump<RouteMessage> {
        var header = rtmsg()
        header.rtm_family = family.kernelValue
        header.rtm_type = type.rawValue
        let request = try NetlinkRequest(RTM_GETROUTE, about: .family(family), dump: true, header: header)
        try request.put(Int(RTA_TABLE.rawValue), table)
        do throws(NetlinkError) {
            return try conversation.dump(request) { (message) throws(NetlinkError) in
                guard case .route(.new, let route) = try NetlinkMessageParser.parse(message) else { return nil }
                return route.table == table && route.type == type ? route : nil
            }
        } catch {
            guard case .refused(_, .noSuchFileOrDirectory, _) = error else { throw error }
            return Dump(values: [])
        }
    }
}

extension Errno {
    /// The kernel was built, or booted, without the address family.
    var meansNoSuchFamily: Bool {
        self == .addressFamilyNotSupported || self == .notSupported || self == .notSupportedOnSocket
    }
}

extension Message {
    fileprivate func link() throws(NetlinkError) -> LinkMessage? {
        guard case .link(.new, let link) = try NetlinkMessageParser.parse(self) else { return nil }
        return link
    }

    fileprivate func nexthop() throws(NetlinkError) -> NexthopMessage? {
        guard case .nexthop(.new, let nexthop) = try NetlinkMessageParser.parse(self) else { return nil }
        return nexthop
    }
}
