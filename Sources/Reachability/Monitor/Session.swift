import EventLoop
import Glibc
import Netlink
import NetworkAddress

/// What a monitor holds between its start and its stop: the sockets, the state, and what is due next.
///
/// It belongs to the monitor's actor and is touched on its loop's thread only.
final class Session {
    let oracle: KernelOracle
    let question: PathQuestion
    var notifications: NotificationSocket
    let carriers: CarrierOracle
    let inspector: DeviceInspector
    /// Nil where there is no Wi-Fi.
    var wirelessNews: WirelessNotificationSocket?
    let nameServers: NameServerFiles
    var resumeClock: ResumeClock
    var watches: [Watch] = []

    var state = NetworkState()
    var surroundings = Surroundings()
    /// The destinations that routes are watched for: the question's, and tunnels' far ends.
    private var watched: Set<IPAddress> = []
    /// The links that the latest path lists.
    var listed: [UInt32] = []
    var explanation = Explanation()
    var pace = EvaluationPace()
    var carrierWatch: CarrierWatch
    /// Whether the socket was read empty the last time.
    var isDrained = true
    /// Why the state has to be read anew, once the socket is drained.
    var pendingResync: ResyncCause?
    /// How long the host was asleep, until that is told.
    var slept: Duration?
    /// Whether the next update comes from a state read anew.
    var isResynced = false

    private var evaluationTimer: Timer?
    private var carrierTimer: Timer?

    init(_ configuration: PathMonitor.Configuration) throws(NetlinkError) {
        // Listening comes first, so that nothing falls between the dump and the news.
        let destinations = Set(configuration.destinations)
        var socket = try NotificationSocket(receiveBufferSize: configuration.receiveBufferSize)
        try socket.attach(RouteFilter(destinations: destinations))
        notifications = socket
        watched = destinations
        oracle = try KernelOracle()
        carriers = try CarrierOracle()
        inspector = try DeviceInspector()
        wirelessNews = try WirelessNotificationSocket()
        resumeClock = try ResumeClock()
        nameServers = try NameServerFiles(path: configuration.resolverConfiguration)
        question = configuration.question
        carrierWatch = CarrierWatch(pollInterval: configuration.carrierPollInterval)
    }

    var isIdle: Bool { evaluationTimer == nil && carrierTimer == nil }

    /// Whether nothing is left to read, to repair or to look at.
    var isSettled: Bool {
        var descriptor = pollfd(fd: notifications.descriptor, events: Int16(POLLIN), revents: 0)
        return evaluationTimer == nil && pendingResync == nil && poll(&descriptor, 1, 0) == 0
    }

    func end(on loop: EventLoop) {
        for watch in watches { loop.end(watch) }
        for timer in [evaluationTimer, carrierTimer].compactMap(\.self) { loop.cancel(timer) }
        watches = []
        evaluationTimer = nil
        carrierTimer = nil
    }

    /// Folds a message into the state; nil where it cannot change the path.
    func apply(_ notification: NetlinkNotification) -> StateChange? {
        // A route that covers none of the destinations cannot answer for them, whatever became of it.
        if case .route(_, let route) = notification {
            guard watched.contains(where: route.destination.contains) else { return nil }
        }
        // What the driver said before is older than this, whichever of the two is right: it is asked again at once.
        if case .link(_, let link) = notification { surroundings.carriers[link.index] = nil }
        guard let change = state.apply(notification) else { return nil }
        learn(from: change)
        return change
    }

    /// Derives the path from what is known and from what the kernel answers now.
    func derive() throws(NetlinkError) -> DerivedPath {
        var derived = try ask()
        if learnSpeeds() { derived = try ask() }
        // The far end of a new tunnel: news of routes to it must come before it is looked up.
        return try watch(oracle.destinations) ? ask() : derived
    }

    private func ask() throws(NetlinkError) -> DerivedPath {
        oracle.beginEvaluation()
        let derived = try PathDerivation(question, state: state, surroundings: surroundings, oracle: oracle).derive()
        listed = derived.path.interfaces.map(\.index)
        return derived
    }

    /// Has the kernel tell of no other routes than those that could answer for these destinations.
    ///
    /// - Returns: Whether there were new ones.
    private func watch(_ destinations: Set<IPAddress>) throws(NetlinkError) -> Bool {
        guard destinations != watched else { return false }
        try notifications.attach(RouteFilter(destinations: destinations))
        defer { watched = destinations }
        return !destinations.isSubset(of: watched)
    }

    /// Replaces the time of the next evaluation, of which there is one at most.
    func schedule(at time: MonotonicTime?, on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) {
        if let evaluationTimer { loop.cancel(evaluationTimer) }
        evaluationTimer = time.map { loop.schedule(at: $0, handler: handler) }
    }

    /// Replaces the time at which the carriers are asked again.
    func scheduleCarriers(at time: MonotonicTime?, on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) {
        if let carrierTimer { loop.cancel(carrierTimer) }
        carrierTimer = time.map { loop.schedule(at: $0, handler: handler) }
    }
}
