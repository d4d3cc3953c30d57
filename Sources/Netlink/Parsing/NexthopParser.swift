import CNetlink
import NetworkAddress

/// Reads RTM_NEWNEXTHOP and RTM_DELNEXTHOP (`struct nhmsg`, NHA_*).
enum NexthopParser {
    static func parse(_ message: Message) throws(NetlinkError) -> NexthopMessage {
        let fixed = try message.fixedPart(nhmsg.self)
        var nexthop = NexthopMessage(id: 0)
        nexthop.flags = RouteFlags(rawValue: fixed.nh_flags)
        try message.attributes(after: nhmsg.self).forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case NHA_ID: nexthop.id = try attribute.uint32()
            case NHA_OIF: nexthop.outputInterface = try attribute.nonzero()
            case NHA_GATEWAY: nexthop.gateway = try attribute.address()
            case NHA_BLACKHOLE: nexthop.isBlackhole = true
            case NHA_GROUP: nexthop.group = members(attribute.payload)
            default: break
            }
        }
        return nexthop
    }

    private static func members(_ payload: Span<UInt8>) -> [NexthopMessage.Member] {
        let size = MemoryLayout<nexthop_grp>.size
        return stride(from: 0, to: payload.count - size + 1, by: size).map { offset in
            let member = payload.load(nexthop_grp.self, at: offset)
            return NexthopMessage.Member(id: member.id, weight: UInt16(member.weight) + 1)
        }
    }
}
