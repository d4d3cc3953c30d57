import CNetlink
import Glibc

/// Asks nl80211 about Wi-Fi devices, over generic netlink.
///
/// Synchronous, without privilege, about the devices of the network namespace in which the socket was made. Owned by one
/// actor; it closes its descriptor when it goes.
public struct WirelessSocket: ~Copyable, Sendable {
    private var conversation: Conversation
    private var family: GenericFamily?

    /// Opens the socket. A kernel without Wi-Fi is no error: see ``isAvailable``.
    public init() throws(NetlinkError) {
        let opened = try Conversation(protocol: NETLINK_GENERIC)
        let found = try GenericFamily("nl80211", opened.handle)
        conversation = opened
        family = found
    }

    /// Whether the kernel has nl80211 loaded. Without, there are no Wi-Fi devices.
    public var isAvailable: Bool { family != nil }

    /// Looks for nl80211 again: the first Wi-Fi driver may have been loaded meanwhile.
    public mutating func refresh() throws(NetlinkError) {
        family = try GenericFamily("nl80211", conversation.handle)
    }

    /// All Wi-Fi devices, each with what it is connected to; none where Wi-Fi is not available.
    public mutating func interfaces() throws(NetlinkError) -> [WirelessInterface] {
        guard let family else { return [] }
        let request = try NetlinkRequest(family, NL80211_CMD_GET_INTERFACE, "NL80211_CMD_GET_INTERFACE", dump: true)
        var interfaces = try conversation.dump(request) { (message) throws(NetlinkError) in
            try WirelessParser.interface(message)
        }.values
        for position in interfaces.indices where interfaces[position].isClient {
            try addAccessPoint(to: &interfaces[position], family)
        }
        return interfaces
    }

    private mutating func addAccessPoint(
        to interface: inout WirelessInterface, _ family: GenericFamily
    ) throws(NetlinkError) {
        let peers = try dump(NL80211_CMD_GET_STATION, "NL80211_CMD_GET_STATION", interface, family, WirelessParser.peer)
        // A station's only peer is its access point; without one it is not associated.
        guard let peer = peers.first else { return }
        interface.bssid = peer.hardwareAddress
        interface.signalDBm = peer.signalDBm
        interface.isAuthorized = peer.isAuthorized
        // Linux 6.1 tells the name of a network joined by wpa_supplicant in the list of those heard, and nowhere else.
        guard interface.ssid == nil || interface.frequencyMHz == nil else { return }
        let networks = try dump(
            NL80211_CMD_GET_SCAN, "NL80211_CMD_GET_SCAN", interface, family, AssociatedNetworkParser.parse)
        interface.ssid = interface.ssid ?? networks.first?.ssid
        interface.frequencyMHz = interface.frequencyMHz ?? networks.first?.frequencyMHz
    }

    /// A dump about one device; empty where that is gone by now or not up, as it may be.
    private mutating func dump<Value: Sendable>(
        _ command: nl80211_commands, _ name: String, _ interface: WirelessInterface, _ family: GenericFamily,
        _ parse: (Message) throws(NetlinkError) -> Value?
    ) throws(NetlinkError) -> [Value] {
        let request = try NetlinkRequest(family, command, name, about: .name(interface.name), dump: true)
        try request.put(Int(NL80211_ATTR_IFINDEX.rawValue), interface.index)
        do throws(NetlinkError) {
            return try conversation.dump(request, parse).values
        } catch {
            guard case .refused = error else { throw error }
            return []
        }
    }
}

extension WirelessInterface {
    fileprivate var isClient: Bool { type == .station || type == .p2pClient }
}

extension NetlinkRequest {
    fileprivate init(
        _ family: GenericFamily, _ command: nl80211_commands, _ name: String, about subject: RequestSubject = .nothing,
        dump: Bool = false
    ) throws(NetlinkError) {
        let header = genlmsghdr(cmd: UInt8(truncatingIfNeeded: command.rawValue), version: 0, reserved: 0)
        try self.init(Int(family.id), named: name, about: subject, dump: dump, header: header)
    }
}
