/// The kernel's queue of a socket at one moment (`SO_MEMINFO`, `linux/sock_diag.h`).
public struct ReceiveQueue: Hashable, Sendable {
    /// What waits to be read, in bytes of the kernel's account: about 840 for a notification of rtnetlink.
    public var queuedBytes: Int
    /// How much may wait before news is dropped.
    public var capacity: Int
    /// How many messages were dropped since the socket was made, where an overrun only tells that some were.
    public var droppedMessages: Int
}
