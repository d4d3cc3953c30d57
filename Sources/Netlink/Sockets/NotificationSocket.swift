import CNetlink
import NetworkAddress
import SystemPackage

/// The socket that listens for the kernel's news, and asks nothing.
///
/// Owned by one actor; it closes its descriptor when it goes. It needs no privilege. Ask for the present state with a
/// ``RequestSocket`` after this one is open, so that nothing falls between.
public struct NotificationSocket: ~Copyable, Sendable {
    private var listener: Listener

    /// 4 MiB, room for some 10,000 notifications in the kernel's account (about 840 bytes each).
    public static let defaultReceiveBufferSize = 4 << 20

    /// How many datagrams one call of ``drain(budget:_:)`` reads at most.
    public static let defaultBudget = 1024

    /// The kernel builds no notification longer than this.
    static let defaultReadBufferSize = 32 << 10

    /// Opens the socket and joins the groups.
    ///
    /// - Parameter receiveBufferSize: The kernel's queue in bytes; what `net.core.rmem_max` allows if that is less and
    ///   the process has no CAP_NET_ADMIN.
    public init(
        groups: NetlinkGroups = .all, receiveBufferSize: Int = defaultReceiveBufferSize
    ) throws(NetlinkError) {
        try self.init(
            groups: groups, receiveBufferSize: receiveBufferSize, readBufferSize: Self.defaultReadBufferSize)
    }

    init(groups: NetlinkGroups, receiveBufferSize: Int, readBufferSize: Int) throws(NetlinkError) {
        let handle = try Self.open(groups, receiveBufferSize: receiveBufferSize)
        self.receiveBufferSize = handle.receiveBufferSize
        listener = Listener(adopting: handle, readBufferSize: readBufferSize)
    }

    static func open(_ groups: NetlinkGroups, receiveBufferSize: Int) throws(NetlinkError) -> SocketHandle {
        let handle = try SocketHandle(protocol: NETLINK_ROUTE)
        try handle.setNonblocking()
        try handle.setReceiveBufferSize(receiveBufferSize)
        for group in groups.numbers { try handle.join(group) }
        return handle
    }

    /// For `EventLoop.watch(_:for:)`, as long as the socket lives.
    public var descriptor: CInt { listener.handle.descriptor }

    /// The kernel's queue in bytes as it came out, in the kernel's account (`socket(7)`).
    public let receiveBufferSize: Int

    /// What waits to be read now, and what was lost so far.
    public var receiveQueue: ReceiveQueue { listener.handle.receiveQueue }

    /// The socket's own port. Any process that knows it may send to it, so that what does not come from port 0 is not believed.
    var port: UInt32 { listener.handle.port }

    /// Why the last filter is not in place: the kernel had no memory for it (`net.core.optmem_max`). Then all routes are
    /// told, which is slower and never wrong. Nil where it is.
    public private(set) var filterFailure: NetlinkError?

    /// Lets the kernel keep back route messages that a filter does not pass, in place of the filter before. Takes no
    /// privilege. Where the kernel has no memory for it, nothing is kept back: see ``filterFailure``.
    public mutating func attach(_ filter: RouteFilter) throws(NetlinkError) {
        filterFailure = nil
        do throws(NetlinkError) {
            try listener.handle.attach(filter.program)
        } catch {
            guard case .socket(_, .noMemory) = error else { throw error }
            filterFailure = error
        }
    }

    /// Reads what has arrived and hands each message over, in the order of the kernel.
    ///
    /// It never waits. After `budget` datagrams it returns, with `isDrained` false where there are more, so that a storm
    /// cannot keep its thread for ever.
    public mutating func drain(
        budget: Int = defaultBudget, _ body: (NetlinkNotification) -> Void
    ) -> DrainReport {
        listener.drain(budget: budget) { (message) throws(NetlinkError) in
            if let notification = try NetlinkMessageParser.parse(message) { body(notification) }
        }
    }
}
