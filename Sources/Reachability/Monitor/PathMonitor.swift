public import EventLoop
public import Netlink
public import NetworkAddress
import Synchronization

/// Watches how traffic leaves this host, and tells each change once.
///
/// It listens to the kernel's news of links, addresses, routes, rules, nexthop objects and device settings, and asks the
/// kernel itself how packets leave whenever one of them could matter. It needs no privilege. It can be started and
/// stopped any number of times.
///
/// It runs on its event loop: handlers are called on that thread, with no other in between.
public actor PathMonitor {
    let configuration: Configuration
    let loop: EventLoop
    let broadcast = UpdateBroadcast()
    let counts = Mutex(MonitorStatistics())
    let listening = Mutex(ListeningState())

    var session: MonitorSession?
    /// In the order in which they came.
    var observers: [(id: UInt64, handler: @Sendable (PathUpdate) -> Void)] = []
    private var nextObserver: UInt64 = 1

    /// What the sessions before this one have counted: the questions about routes, and the messages that were dropped.
    private(set) var lookupsBefore: UInt64 = 0
    private(set) var droppedBefore: UInt64 = 0

    public init(configuration: Configuration = Configuration(), loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    /// Makes a monitor on the process's shared loop.
    ///
    /// - Throws: Why there is no such loop.
    public init(configuration: Configuration = Configuration()) throws(EventLoopError) {
        self.init(configuration: configuration, loop: try EventLoop.shared())
    }

    isolated deinit {
        stop()
        broadcast.close()
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    // MARK: The present, from any thread

    /// The path as it is; ``Path/unknown`` before the first start, the last known one after a stop.
    public nonisolated var currentPath: Path { broadcast.currentPath }

    /// The updates from now on, beginning with the present path. They end when the monitor is stopped.
    public nonisolated var updates: PathUpdates { PathUpdates(broadcast: broadcast) }

    public nonisolated var statistics: MonitorStatistics {
        counts.withLock { $0 }
    }

    /// Whether all that the kernel has told so far has been read, asked about, and confirmed.
    package var isSettled: Bool { session?.isSettled ?? true }

    // MARK: Observers, on the loop

    /// Calls a handler on the loop's thread with each update until its subscription is cancelled.
    ///
    /// Each start of the monitor is an update too, from ``Path/unknown``.
    @discardableResult
    public func onUpdate(_ handler: @escaping @Sendable (PathUpdate) -> Void) -> Subscription {
        let (id, gate) = (nextObserver, Gate())
        nextObserver += 1
        observers.append((id, { update in if gate.isOpen { handler(update) } }))
        return Subscription { [weak self] in
            gate.close()
            self?.forget(id)
        }
    }

    private nonisolated func forget(_ id: UInt64) {
        loop.schedule(after: .zero) { [weak self] in
            self?.assumeIsolated { $0.observers.removeAll { $0.id == id } }
        }
    }

    // MARK: Life

    /// Starts listening and returns the path, which is current and right from the first. Starting twice does nothing.
    public func start() throws(NetlinkError) -> Path {
        guard session == nil else { return currentPath }
        let session = try MonitorSession(configuration)
        do throws(NetlinkError) {
            self.session = session
            try begin()
        } catch {
            stop()
            throw error
        }
        return currentPath
    }

    /// Asks about other places besides from now on, where there is no way out.
    package func ask(about others: [IPAddress]?) {
        guard let session, session.ask(about: others) else { return }
        evaluateWhenDue()
    }

    /// Stops listening and ends all sequences. No handler is called after this returns. It can be started again.
    public func stop() {
        guard let session else { return }
        lookupsBefore += session.oracle.answers.count
        droppedBefore += session.droppedMessages
        let (lookups, dropped) = (lookupsBefore, droppedBefore)
        counts.withLock { counts in
            counts.lookups = lookups
            counts.droppedMessages = dropped
        }
        session.end(on: loop)
        self.session = nil
        showListening()
        broadcast.finish()
    }

    /// Whether all that the kernel has told is known, from any thread.
    public nonisolated var listeningState: ListeningState {
        listening.withLock { $0 }
    }

    /// Takes the state of the session for the one to be shown.
    func showListening() {
        var state = ListeningState()
        if let session {
            state.isComplete = session.isComplete
            state.resync = session.repair.pending
            state.filterFailure = session.notifications.filterFailure
            state.receiveBufferSize = session.receiveBufferSize
        }
        listening.withLock { $0 = state }
    }
}

/// What a handler's calls go through, so that no call begins after its subscription was cancelled.
private final class Gate: Sendable {
    private let state = Mutex(true)

    var isOpen: Bool { state.withLock { $0 } }

    func close() {
        state.withLock { $0 = false }
    }
}

extension PathMonitor {
    /// What a monitor asks about. The default is the way to the Internet, for any packet.
    public struct Configuration: Sendable {
        /// Where packets are to go. With several of a family, the first that has a way stands for it, and the others show
        /// whether the family is `split`.
        public var destinations: [IPAddress] = ReferenceDestination.all
        /// Where packets are to go besides. It is asked about where there is no way out only, together with the name servers;
        /// nil for neither.
        package var others: [IPAddress]?
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
