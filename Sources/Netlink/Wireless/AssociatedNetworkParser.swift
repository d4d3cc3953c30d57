import CNetlink
import NetworkAddress

/// The network that a station is associated with, out of its list of what it has heard (NL80211_CMD_GET_SCAN).
struct AssociatedNetwork {
    var ssid: String?
    var frequencyMHz: UInt32?
}

/// Reads one entry of that list (NL80211_ATTR_BSS).
enum AssociatedNetworkParser {
    /// Nil for a network that the station has only heard of.
    static func parse(_ message: Message) throws(NetlinkError) -> AssociatedNetwork? {
        var network = AssociatedNetwork()
        var isAssociated = false
        try message.attributes(after: genlmsghdr.self).forEach { (attribute) throws(NetlinkError) in
            guard attribute.type == Int(NL80211_ATTR_BSS.rawValue) else { return }
            try attribute.nested.forEach { (attribute) throws(NetlinkError) in
                switch nl80211_bss(UInt32(attribute.type)) {
                case NL80211_BSS_STATUS: isAssociated = try attribute.uint32() == NL80211_BSS_STATUS_ASSOCIATED.rawValue
                case NL80211_BSS_FREQUENCY: network.frequencyMHz = try attribute.nonzero()
                case NL80211_BSS_INFORMATION_ELEMENTS: network.ssid = ssid(attribute.payload) ?? network.ssid
                case NL80211_BSS_BEACON_IES: network.ssid = network.ssid ?? ssid(attribute.payload)
                default: break
                }
            }
        }
        return isAssociated ? network : nil
    }

    /// The element of type 0 (IEEE 802.11 section 9.4.2.2); nil where there is none or the network hides its name.
    private static func ssid(_ elements: Span<UInt8>) -> String? {
        var rest = elements
        while rest.count >= 2, Int(rest[1]) <= rest.count - 2 {
            let end = 2 + Int(rest[1])
            if rest[0] == 0 { return name(rest.extracting(2..<end)) }
            rest = rest.extracting(droppingFirst: end)
        }
        return nil
    }

    private static func name(_ bytes: Span<UInt8>) -> String? {
        bytes.indices.allSatisfy { bytes[$0] == 0 } ? nil : String(decoding: bytes.extracting(first: 32))
    }
}
