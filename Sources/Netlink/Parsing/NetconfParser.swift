import CNetlink
import NetworkAddress

/// Reads RTM_NEWNETCONF and RTM_DELNETCONF (`struct netconfmsg`, NETCONFA_*).
enum NetconfParser {
    static func parse(_ message: Message) throws(NetlinkError) -> NetconfMessage? {
        let fixed = try message.fixedPart(netconfmsg.self)
        guard let family = AddressFamily(kernelValue: fixed.ncm_family) else { return nil }
        var settings = NetconfMessage(family: family)
        try message.attributes(after: netconfmsg.self).forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case NETCONFA_IFINDEX: settings.index = try index(attribute)
            case NETCONFA_RP_FILTER: settings.reversePathFilter = try attribute.uint32()
            case NETCONFA_FORWARDING: settings.forwarding = try attribute.uint32() != 0
            case NETCONFA_IGNORE_ROUTES_WITH_LINKDOWN:
                settings.ignoresRoutesWithLinkDown = try attribute.uint32() != 0
            default: break
            }
        }
        return settings
    }

    /// NETCONFA_IFINDEX_ALL and NETCONFA_IFINDEX_DEFAULT are negative.
    private static func index(_ attribute: Attribute) throws(NetlinkError) -> UInt32? {
        UInt32(exactly: try attribute.int32())
    }
}
