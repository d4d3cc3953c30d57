import CNetlink
import NetworkAddress

/// Reads what nl80211 sends (`struct genlmsghdr`, NL80211_ATTR_*).
enum WirelessParser {
    static func interface(_ message: Message) throws(NetlinkError) -> WirelessInterface? {
        var interface = WirelessInterface(index: 0, name: "", type: .unspecified)
        try message.attributes(after: genlmsghdr.self).forEach { (attribute) throws(NetlinkError) in
            switch nl80211_attrs(UInt32(attribute.type)) {
            case NL80211_ATTR_IFINDEX: interface.index = try attribute.uint32()
            case NL80211_ATTR_IFNAME: interface.name = attribute.string()
            case NL80211_ATTR_IFTYPE: interface.type = .init(rawValue: try attribute.uint32()) ?? .unspecified
            case NL80211_ATTR_MAC: interface.hardwareAddress = attribute.hardwareAddress()
            case NL80211_ATTR_SSID: interface.ssid = String(decoding: attribute.payload.extracting(first: 32))
            case NL80211_ATTR_WIPHY_FREQ: interface.frequencyMHz = try attribute.nonzero()
            default: break
            }
        }
        // A P2P device has no network device of its own.
        return interface.index == 0 ? nil : interface
    }

    /// What the device knows of one that it talks to: of a station, its access point.
    struct Peer {
        var hardwareAddress: HardwareAddress?
        var signalDBm: Int?
        var isAuthorized: Bool?
    }

    static func peer(_ message: Message) throws(NetlinkError) -> Peer? {
        var peer = Peer()
        try message.attributes(after: genlmsghdr.self).forEach { (attribute) throws(NetlinkError) in
            switch nl80211_attrs(UInt32(attribute.type)) {
            case NL80211_ATTR_MAC: peer.hardwareAddress = attribute.hardwareAddress()
            case NL80211_ATTR_STA_INFO: try readInformation(attribute.nested, into: &peer)
            default: break
            }
        }
        return peer
    }

    private static func readInformation(_ information: Attributes, into peer: inout Peer) throws(NetlinkError) {
        try information.forEach { (attribute) throws(NetlinkError) in
            switch nl80211_sta_info(UInt32(attribute.type)) {
            case NL80211_STA_INFO_SIGNAL: peer.signalDBm = Int(Int8(bitPattern: try attribute.uint8()))
            case NL80211_STA_INFO_STA_FLAGS: peer.isAuthorized = try authorization(attribute)
            default: break
            }
        }
    }

    /// Nil where the driver does not say: a flag counts only where its bit is set in the mask too.
    private static func authorization(_ attribute: Attribute) throws(NetlinkError) -> Bool? {
        let flags = try attribute.load(as: nl80211_sta_flag_update.self)
        let bit = UInt32(1) << NL80211_STA_FLAG_AUTHORIZED.rawValue
        return flags.mask & bit == 0 ? nil : flags.set & bit != 0
    }

    static func notification(_ message: Message) throws(NetlinkError) -> WirelessNotification? {
        let command = nl80211_commands(UInt32(try message.fixedPart(genlmsghdr.self).cmd))
        guard let event = event(command) else { return nil }
        var notification = WirelessNotification(event: event, index: nil)
        try message.attributes(after: genlmsghdr.self).forEach { (attribute) throws(NetlinkError) in
            if attribute.type == Int(NL80211_ATTR_IFINDEX.rawValue) { notification.index = try attribute.uint32() }
        }
        return notification
    }

    private static func event(_ command: nl80211_commands) -> WirelessNotification.Event? {
        switch command {
        case NL80211_CMD_CONNECT: .connected
        case NL80211_CMD_DISCONNECT: .disconnected
        case NL80211_CMD_ROAM: .roamed
        case NL80211_CMD_PORT_AUTHORIZED: .authorized
        case NL80211_CMD_NEW_INTERFACE: .interfaceAdded
        case NL80211_CMD_DEL_INTERFACE: .interfaceRemoved
        case NL80211_CMD_SET_INTERFACE: .interfaceChanged
        case NL80211_CMD_CH_SWITCH_NOTIFY: .channelSwitched
        default: nil
        }
    }
}
