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
        let request = try Request(family, NL80211_CMD_GET_INTERFACE, "NL80211_CMD_GET_INTERFACE", dump: true)
        var interfaces = try conversation.dump(request) { (message) throws(NetlinkError) in
            try WirelessParser.interface(message)
        }.values
        for position in interfaces.indices { try addPeer(to: &interfaces[position], family) }
        return interfaces
    }

    /// One Wi-Fi device; nil where there is none of that number.
    public mutating func interface(index: UInt32) throws(NetlinkError) -> WirelessInterface? {
        try interfaces().first { $0.index == index }
    }

    /// A station's only peer is its access point. The device may be gone by now, or not be up: then there is none.
    private mutating func addPeer(
        to interface: inout WirelessInterface, _ family: GenericFamily
    ) throws(NetlinkError) {
        guard interface.type == .station || interface.type == .p2pClient else { return }
        let request = try Request(
            family, NL80211_CMD_GET_STATION, "NL80211_CMD_GET_STATION", about: interface.name, dump: true)
        try request.put(Int(NL80211_ATTR_IFINDEX.rawValue), interface.index)
        do throws(NetlinkError) {
            let peers = try conversation.dump(request) { (message) throws(NetlinkError) in
                try WirelessParser.peer(message)
            }
            guard let peer = peers.values.first else { return }
            interface.bssid = peer.hardwareAddress
            interface.signalDBm = peer.signalDBm
            interface.isAuthorized = peer.isAuthorized
        } catch {
            guard case .refused = error else { throw error }
        }
    }
}

/// Listens for news of Wi-Fi devices, and asks nothing.
///
/// Roaming and association are told here and nowhere else. Owned by one actor.
public struct WirelessNotificationSocket: ~Copyable, Sendable {
    private var listener: Listener

    private static let readBufferSize = 32 << 10
    private static let receiveBufferSize = 1 << 20

    /// Opens the socket and joins nl80211's groups `config` and `mlme`; nil where the kernel has no nl80211.
    public init?() throws(NetlinkError) {
        let handle = try SocketHandle(protocol: NETLINK_GENERIC)
        guard let family = try GenericFamily("nl80211", handle) else { return nil }
        for group in ["config", "mlme"] { try handle.join(family.group(group, handle)) }
        try handle.setNonblocking()
        try handle.setReadBufferSize(Self.readBufferSize)
        try handle.setReceiveBufferSize(Self.receiveBufferSize)
        listener = Listener(adopting: handle)
    }

    /// For `EventLoop.watch(_:for:)`, as long as the socket lives.
    public var descriptor: CInt { listener.handle.descriptor }

    /// Reads what has arrived and hands over what matters; as ``NotificationSocket/drain(budget:_:)`` otherwise.
    public mutating func drain(
        budget: Int = NotificationSocket.defaultBudget, _ body: (WirelessNotification) -> Void
    ) -> DrainReport {
        listener.drain(budget: budget) { (message, report) in
            do throws(NetlinkError) {
                if let notification = try WirelessParser.notification(message) { body(notification) }
            } catch {
                report.note(error)
            }
        }
    }
}

extension Request {
    fileprivate init(
        _ family: GenericFamily, _ command: nl80211_commands, _ name: String, about subject: String = "",
        dump: Bool = false
    ) throws(NetlinkError) {
        let header = genlmsghdr(cmd: UInt8(truncatingIfNeeded: command.rawValue), version: 0, reserved: 0)
        try self.init(Int(family.id), named: name, about: subject, dump: dump, header: header)
    }
}
