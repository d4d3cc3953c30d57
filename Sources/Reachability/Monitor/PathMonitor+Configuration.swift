import Netlink
public import NetworkAddress

extension PathMonitor {
    /// What a monitor asks about. The default is the way to the Internet, for any packet.
    public struct Configuration: Sendable {
        /// Where packets are to go. With several of a family, the first that has a way stands for it, and the others show
        /// whether the family is `split`.
        public var destinations: [IPAddress] = ReferenceDestination.all
        /// The media that count as a way out; nil for all.
        public var requiredMedia: Set<Medium>?
        /// The media that do not count.
        public var prohibitedMedia: Set<Medium> = []
        /// The packets' mark, user, protocol (`IPPROTO_*`) and port, for hosts whose policy rules look at them.
        public var mark: UInt32?
        public var userID: UInt32?
        public var ipProtocol: UInt8?
        public var destinationPort: UInt16?
        /// The kernel's queue for news, in bytes. When it overflows, the state is read anew.
        public var receiveBufferSize: Int = NotificationSocket.defaultReceiveBufferSize
        /// The file that names the name servers, `resolv.conf(5)`. It is watched, and so is what it leads to.
        public var resolverConfiguration: String = "/etc/resolv.conf"
        /// How often the drivers are asked for their carrier while no link has had an event for a second; nil for never.
        ///
        /// The kernel holds news of carrier loss back for up to a second after another's, in whatever namespace. Those of
        /// other namespaces are not seen here; asking each 50 ms costs some 40 µs a second and link, and a wake-up each.
        public var carrierPollInterval: Duration?
        /// Takes everything the monitor is told and asks, on the loop's thread, for a ``TraceReplayer``; nil to record nothing.
        public var recorder: (@Sendable (TraceRecord) -> Void)?

        public init() {}

        /// One monitor for one destination.
        public init(destination: IPAddress) {
            destinations = [destination]
        }

        var question: PathQuestion {
            PathQuestion(
                destinations: destinations, mark: mark, userID: userID, ipProtocol: ipProtocol,
                destinationPort: destinationPort, requiredMedia: requiredMedia, prohibitedMedia: prohibitedMedia)
        }
    }
}
