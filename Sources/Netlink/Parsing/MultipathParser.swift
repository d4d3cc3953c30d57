import CNetlink
import NetworkAddress

/// Reads RTA_MULTIPATH: a run of `struct rtnexthop`, each with attributes of its own.
enum MultipathParser {
    static func parse(_ attribute: Attribute) throws(NetlinkError) -> [NextHop] {
        var legs: [NextHop] = []
        var rest = attribute.payload
        let size = MemoryLayout<rtnexthop>.size
        while rest.count >= size {
            let fixed = rest.load(rtnexthop.self)
            let length = Int(fixed.rtnh_len)
            guard length >= size, length <= rest.count else {
                throw .malformed(
                    message: MessageName.of(attribute.message),
                    reason: "leg \(legs.count + 1) of RTA_MULTIPATH says \(length) bytes, and \(rest.count) are left")
            }
            let nested = rest.extracting(size..<length)
            legs.append(try leg(fixed, Attributes(bytes: nested, message: attribute.message)))
            rest = rest.extracting(droppingFirst: (length + 3) & ~3)
        }
        return legs
    }

    private static func leg(_ fixed: rtnexthop, _ attributes: Attributes) throws(NetlinkError) -> NextHop {
        var leg = NextHop(
            outputInterface: UInt32(bitPattern: fixed.rtnh_ifindex), gateway: nil,
            flags: RouteFlags(rawValue: UInt32(fixed.rtnh_flags)), weight: UInt16(fixed.rtnh_hops) + 1)
        try attributes.forEach { (attribute) throws(NetlinkError) in
            switch rtattr_type_t(UInt32(attribute.type)) {
            case RTA_GATEWAY: leg.gateway = try attribute.address()
            case RTA_VIA: leg.gateway = try RouteParser.via(attribute)
            default: break
            }
        }
        return leg
    }
}
