import CNetlink

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
        // Both are looked up before news of either comes in, which would be taken for the answer.
        let groups = [try family.group("config", handle), try family.group("mlme", handle)]
        for group in groups { try handle.join(group) }
        try handle.setNonblocking()
        try handle.setReceiveBufferSize(Self.receiveBufferSize)
        listener = Listener(adopting: handle, readBufferSize: Self.readBufferSize)
    }

    /// For `EventLoop.watch(_:for:)`, as long as the socket lives.
    public var descriptor: CInt { listener.handle.descriptor }

    /// Reads what has arrived and hands over what matters; as ``NotificationSocket/drain(budget:_:)`` otherwise.
    public mutating func drain(
        budget: Int = NotificationSocket.defaultBudget, _ body: (WirelessNotification) -> Void
    ) -> DrainReport {
        listener.drain(budget: budget) { (message) throws(NetlinkError) in
            if let notification = try WirelessParser.notification(message) { body(notification) }
        }
    }
}
