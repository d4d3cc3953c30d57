import CNetlink
import NetworkAddress

/// Reads RTM_NEWROUTE and RTM_DELROUTE, news and answers alike (`struct rtmsg`, RTA_*).
enum RouteParser {
    static func parse(_ message: Message) throws(NetlinkError) -> RouteMessage? {
        let fixed = try message.fixedPart(rtmsg.self)
        guard let family = AddressFamily(kernelValue: fixed.rtm_family) else { return nil }
        var route = RouteMessage(
            destination: .all(of: family), table: UInt32(fixed.rtm_table),
            type: RouteType(rawValue: fixed.rtm_type) ?? .unspecified)
        route.protocol = fixed.rtm_protocol
        route.scope = fixed.rtm_scope
        route.flags = RouteFlags(rawValue: fixed.rtm_flags)
        var (destination, source): (IPAddress?, IPAddress?)
        try message.attributes(after: rtmsg.self).forEach { (attribute) throws(NetlinkError) in
            if attribute.type == Int(RTA_DST.rawValue) { destination = try attribute.address() }
            if attribute.type == Int(RTA_SRC.rawValue) { source = try attribute.address() }
            try read(attribute, into: &route)
        }
        guard let prefix = prefix(destination, length: Int(fixed.rtm_dst_len), family) else {
            throw .malformed(message: message.name, reason: "its destination does not fit its length and family")
        }
        route.destination = prefix
        // It only says more: what does not fit is left out.
        route.source = source.flatMap { Self.prefix($0, length: Int(fixed.rtm_src_len), family) }
        return route
    }

    private static func prefix(_ address: IPAddress?, length: Int, _ family: AddressFamily) -> IPPrefix? {
        guard let address else { return length == 0 ? .all(of: family) : nil }
        return address.family == family ? IPPrefix(address, length: length) : nil
    }

    private static func read(_ attribute: Attribute, into route: inout RouteMessage) throws(NetlinkError) {
        switch rtattr_type_t(UInt32(attribute.type)) {
        // The fixed part has eight bits for the table, this one 32.
        case RTA_TABLE: route.table = try attribute.uint32()
        case RTA_OIF: route.outputInterface = try attribute.nonzero()
        case RTA_GATEWAY: route.gateway = try attribute.address()
        case RTA_VIA: route.gateway = try via(attribute)
        case RTA_PREFSRC: route.preferredSource = try attribute.address()
        case RTA_PRIORITY: route.priority = try attribute.uint32()
        case RTA_NH_ID: route.nexthopID = try attribute.nonzero()
        case RTA_CACHEINFO: try readExpiry(attribute, into: &route)
        case RTA_MULTIPATH: route.nextHops = try MultipathParser.parse(attribute)
        default: break
        }
    }

    /// RTA_VIA: a gateway of another family than the route's (`struct rtvia`: the family, then the address).
    static func via(_ attribute: Attribute) throws(NetlinkError) -> IPAddress? {
        let family = try attribute.uint16()
        guard let family = AddressFamily(kernelValue: UInt8(clamping: family)) else { return nil }
        let bytes = attribute.payload.extracting(droppingFirst: 2).extracting(first: family.bitWidth / 8)
        guard let address = IPAddress(bytes: bytes), address.family == family else {
            throw .malformed(message: MessageName.of(attribute.message), reason: "RTA_VIA is too short for its address")
        }
        return address
    }

    /// USER_HZ, in which the kernel counts for programs whatever its own clock does.
    private static let ticksASecond: Int32 = 100

    private static func readExpiry(_ attribute: Attribute, into route: inout RouteMessage) throws(NetlinkError) {
        let ticks = try attribute.load(as: rta_cacheinfo.self).rta_expires
        route.expires = ticks == 0 ? nil : ticks / ticksASecond
        route.remaining = ticks > 0 ? .seconds(1) * Int(ticks) / Int(ticksASecond) : nil
    }
}
