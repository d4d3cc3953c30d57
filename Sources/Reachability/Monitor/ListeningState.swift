public import Netlink
import Synchronization

/// Whether a ``PathMonitor`` knows all that the kernel has told, and by what means it listens.
public struct ListeningState: Hashable, Sendable {
    /// Whether the kernel's whole state has been read since the start.
    public var isComplete = false
    /// Why the state has to be read anew, as long as it has not been; nil where nothing is missing.
    public var resync: ResyncCause? = nil
    /// Why the kernel keeps no news of routes back that cannot matter: then all of it is told, which is slower and never
    /// wrong. Nil where it does.
    public var filterFailure: NetlinkError? = nil
    /// How much news may wait to be read before some is lost, in bytes of the kernel's account (`SO_RCVBUF` in
    /// `socket(7)`): about 840 a message.
    public var receiveBufferSize = 0

    public init() {}
}
