import CNetlink
import NetworkAddress

/// The socket that asks the kernel, and listens to nothing else.
///
/// Every call is synchronous: rtnetlink does its work inside `sendmsg(2)`, so that the answer is there when the question
/// is out (2 to 3 µs for a look-up). Owned by one actor; it closes its descriptor when it goes. It needs no privilege.
public struct RequestSocket: ~Copyable, Sendable {
    var conversation: Conversation
    /// The look-ups of this round; nil for a socket whose owner asks in none.
    var round: LookupRound?
    /// The last rounds about one family and about both, ready to be asked again.
    var batch: LookupBatch?
    /// Whether this host may have an address of IPv6 that a route is for: to find out costs as much as ten look-ups.
    package var mayHaveOwnSource = true
    /// From which address the kernel has sent lately where it has no way for packets of any source.
    var ownSources: [IPAddress: IPAddress] = [:]

    public init() throws(NetlinkError) {
        conversation = try Conversation(protocol: NETLINK_ROUTE)
    }

    init(readBufferSize: Int) throws(NetlinkError) {
        conversation = try Conversation(protocol: NETLINK_ROUTE, readBufferSize: readBufferSize)
    }
}
