package import EventLoop
public import Netlink
public import NetworkAddress
import Synchronization

/// Reachability in the shape of AFNetworking's `AFNetworkReachabilityManager`, over a ``PathMonitor``.
///
/// Different on purpose: the first status is known when ``startMonitoring()`` returns, equal statuses are not repeated,
/// there may be many observers, and no run loop is needed. All methods may be called from any thread.
public final class NetworkReachabilityManager: Sendable {
    /// Calls a handler when and where it likes; for example on the main queue.
    public typealias Delivery = @Sendable (@escaping @Sendable () -> Void) -> Void

    private struct Observer {
        let deliver: Delivery
        let handler: @Sendable (NetworkReachabilityStatus) -> Void
        /// Ends what it feeds.
        let end: @Sendable () -> Void
    }

    private struct State {
        var status = NetworkReachabilityStatus.unknown
        var path = Path.unknown
        var block: (@Sendable (NetworkReachabilityStatus) -> Void)?
        var observers: [UInt64: Observer] = [:]
        var nextObserver: UInt64 = 1
        var watch: TargetWatch?
        /// Counts starts and stops, so that what an earlier one began reports no more.
        var generation: UInt64 = 0
    }

    private let target: ReachabilityTarget
    private let makeLoop: @Sendable () throws(EventLoopError) -> EventLoop
    private let state = Mutex(State())

    /// The manager of the way to the Internet that a whole program may share.
    public static let shared = NetworkReachabilityManager()

    /// A manager of the way to the Internet.
    public convenience init() {
        self.init(.internet)
    }

    /// A manager of the way to a host, whose name is resolved again when the network changes.
    public static func forDomain(_ domain: String) -> NetworkReachabilityManager {
        NetworkReachabilityManager(.domain(domain))
    }

    /// A manager of the way to an address.
    public static func forAddress(_ address: IPAddress) -> NetworkReachabilityManager {
        NetworkReachabilityManager(.address(address))
    }

    /// - Parameter loop: The loop to run on; a thread of its own with each start where it is nil.
    package init(_ target: ReachabilityTarget, loop: EventLoop? = nil) {
        self.target = target
        self.makeLoop = { () throws(EventLoopError) in
            if let loop { return loop }
            return try EventLoop(name: "reachability")
        }
    }

    deinit {
        stopMonitoring()
        for observer in state.withLock({ Array($0.observers.values) }) { observer.end() }
    }

    // MARK: The present

    public var networkReachabilityStatus: NetworkReachabilityStatus { state.withLock { $0.status } }
    /// The path that the status comes from.
    public var path: Path { state.withLock { $0.path } }
    public var isReachable: Bool { isReachableViaWWAN || isReachableViaWiFi }
    public var isReachableViaWWAN: Bool { networkReachabilityStatus == .reachableViaWWAN }
    public var isReachableViaWiFi: Bool { networkReachabilityStatus == .reachableViaWiFi }

    /// The status as a text for people; translated where a translation is given.
    public func localizedStatusText(_ translate: (String) -> String = { $0 }) -> String {
        translate(networkReachabilityStatus.text)
    }

    // MARK: Observers

    /// Sets the one block that is called with each new status; nil for none. ``startMonitoring()`` calls it itself with the
    /// first, before it returns; with all others it is called on the monitor's thread.
    public func setReachabilityStatusChange(_ block: (@Sendable (NetworkReachabilityStatus) -> Void)?) {
        state.withLock { $0.block = block }
    }

    /// Calls a handler with each new status, beside the block and as it is, until its subscription is cancelled: no call
    /// begins after that.
    @discardableResult
    public func onStatus(
        deliver: @escaping Delivery = { $0() }, _ handler: @escaping @Sendable (NetworkReachabilityStatus) -> Void
    ) -> Subscription {
        observe(Observer(deliver: deliver, handler: handler, end: {})) { _ in }
    }

    /// - Parameter first: Takes the present status, before the observer is told of any other.
    private func observe(_ observer: Observer, first: (NetworkReachabilityStatus) -> Void) -> Subscription {
        let id = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = observer
            first(state.status)
            return state.nextObserver
        }
        return Subscription { [weak self] in
            // Released without the lock: what a handler holds may be anything.
            let observer = self?.state.withLock { $0.observers.removeValue(forKey: id) }
            withExtendedLifetime(observer) {}
        }
    }

    /// The statuses from now on, beginning with the present one. A slow reader gets the latest. They end with the manager.
    public var statuses: AsyncStream<NetworkReachabilityStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observer = Observer(
                deliver: { $0() }, handler: { continuation.yield($0) }, end: { continuation.finish() })
            let subscription = observe(observer) { continuation.yield($0) }
            continuation.onTermination = { _ in subscription.cancel() }
        }
    }

    // MARK: Life

    /// Starts monitoring, anew where it runs already. The status is known when this returns; that of a name, once it is
    /// resolved.
    public func startMonitoring() throws(NetlinkError) {
        stopMonitoring()
        let loop = try openLoop()
        let path = try Path.current(target.firstConfiguration)
        let watch = TargetWatch(target, loop: loop)
        let generation = state.withLock { state in
            state.watch = watch
            return state.generation
        }
        report(target.isNamed && path.status.isReachable ? .unknown : path, generation)
        let report: @Sendable (Path) -> Void = { [weak self] in self?.report($0, generation) }
        Task { await watch.start(report) }
    }

    /// Stops monitoring. No handler begins after this returns; the status stays the last one known.
    public func stopMonitoring() {
        let watch = state.withLock { state in
            state.generation += 1
            return state.watch.take()
        }
        guard let watch else { return }
        Task { await watch.stop() }
    }

    private func openLoop() throws(NetlinkError) -> EventLoop {
        do throws(EventLoopError) { return try makeLoop() } catch { throw .socket(call: "epoll", error.errno) }
    }

    private func report(_ path: Path, _ generation: UInt64) {
        let status = NetworkReachabilityStatus(path.status)
        let (block, observers) = state.withLock { state in
            guard state.generation == generation else { return (nil, []) as (Block?, [UInt64]) }
            state.path = path
            guard state.status != status else { return (nil, []) }
            state.status = status
            return (state.block, state.observers.keys.sorted())
        }
        if isCurrent(generation) { block?(status) }
        for id in observers {
            guard let deliver = observer(id, in: generation)?.deliver else { continue }
            deliver { [weak self] in self?.observer(id, in: generation)?.handler(status) }
        }
    }

    /// An observer that is to be told still; nil where it has been cancelled, or monitoring stopped.
    private func observer(_ id: UInt64, in generation: UInt64) -> Observer? {
        state.withLock { $0.generation == generation ? $0.observers[id] : nil }
    }

    private typealias Block = @Sendable (NetworkReachabilityStatus) -> Void

    private func isCurrent(_ generation: UInt64) -> Bool {
        state.withLock { $0.generation == generation }
    }
}
