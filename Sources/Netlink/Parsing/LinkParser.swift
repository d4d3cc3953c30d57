import CNetlink
import NetworkAddress

/// Reads RTM_NEWLINK and RTM_DELLINK (`struct ifinfomsg`, IFLA_*).
enum LinkParser {
    static func parse(_ message: Message) throws(NetlinkError) -> LinkMessage {
        let fixed = try message.fixedPart(ifinfomsg.self)
        var link = LinkMessage(
            index: UInt32(bitPattern: fixed.ifi_index), type: fixed.ifi_type,
            flags: LinkFlags(rawValue: fixed.ifi_flags),
            name: "")
        link.family = fixed.ifi_family
        link.changedFlags = fixed.ifi_change
        try message.attributes(after: ifinfomsg.self).forEach { (attribute) throws(NetlinkError) in
            try read(attribute, into: &link)
        }
        return link
    }

    private static func read(_ attribute: Attribute, into link: inout LinkMessage) throws(NetlinkError) {
        switch attribute.type {
        case IFLA_IFNAME: link.name = attribute.string()
        case IFLA_MTU: link.mtu = try attribute.uint32()
        case IFLA_ADDRESS: link.hardwareAddress = attribute.hardwareAddress()
        case IFLA_OPERSTATE: link.operationalState = OperationalState(rawValue: try attribute.uint8()) ?? .unknown
        case IFLA_CARRIER: link.carrier = try attribute.uint8() != 0
        case IFLA_CARRIER_UP_COUNT: link.carrierUpCount = try attribute.uint32()
        case IFLA_CARRIER_DOWN_COUNT: link.carrierDownCount = try attribute.uint32()
        case IFLA_LINK: link.lowerIndex = try attribute.nonzero()
        case IFLA_LINK_NETNSID: link.lowerNamespaceID = try attribute.int32()
        case IFLA_MASTER: link.controllerIndex = try attribute.nonzero()
        case IFLA_GROUP: link.group = try attribute.nonzero()
        case IFLA_WIRELESS: link.isWirelessEvent = true
        case IFLA_PARENT_DEV_NAME: link.parentDevice = attribute.string()
        case IFLA_PROP_LIST: try readProperties(attribute.nested, into: &link)
        case IFLA_LINKINFO: try readInformation(attribute.nested, into: &link)
        default: break
        }
    }

    private static func readProperties(_ properties: Attributes, into link: inout LinkMessage) throws(NetlinkError) {
        try properties.forEach { (attribute) throws(NetlinkError) in
            if attribute.type == IFLA_ALT_IFNAME { link.alternativeNames.append(attribute.string()) }
        }
    }

    private static func readInformation(_ information: Attributes, into link: inout LinkMessage) throws(NetlinkError) {
        try information.forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case IFLA_INFO_KIND: link.kind = attribute.string()
            case IFLA_INFO_SLAVE_KIND: link.slaveKind = attribute.string()
            default: break
            }
        }
        // Only with the kind can be told what the rest means, wherever that stands.
        guard let kind = link.kind else { return }
        try information.forEach { (attribute) throws(NetlinkError) in
            guard attribute.type == IFLA_INFO_DATA else { return }
            link.details = try LinkDetailsParser.parse(attribute.nested, kind: kind)
        }
    }
}
