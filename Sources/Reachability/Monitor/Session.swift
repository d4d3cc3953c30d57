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
    var watch: Watch?

    var state = NetworkState()
    var surroundings = Surroundings()
    /// The links that the latest path lists.
    var listed: [UInt32] = []
    var explanation = Explanation()
    var pace = EvaluationPace()
    var carrierWatch: CarrierWatch
    /// Whether the socket was read empty the last time.
    var isDrained = true
    /// Why the state has to be read anew, once the socket is drained.
    var pendingResync: ResyncCause?
    /// Whether the next update comes from a state read anew.
    var isResynced = false

    private var evaluationTimer: Timer?
    private var carrierTimer: Timer?

    init(_ configuration: PathMonitor.Configuration) throws(NetlinkError) {
        // Listening comes first, so that nothing falls between the dump and the news.
        notifications = try NotificationSocket(receiveBufferSize: configuration.receiveBufferSize)
        oracle = try KernelOracle()
        carriers = try CarrierOracle()
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
        if let watch { loop.end(watch) }
        for timer in [evaluationTimer, carrierTimer].compactMap(\.self) { loop.cancel(timer) }
        watch = nil
        evaluationTimer = nil
        carrierTimer = nil
    }

    /// Folds a message into the state; nil where it cannot change the path.
    func apply(_ notification: NetlinkNotification) -> StateChange? {
        // A route that covers none of the destinations cannot answer for them, whatever became of it.
        if case .route(_, let route) = notification {
            guard question.destinations.contains(where: route.destination.contains) else { return nil }
        }
        // What the driver said before is older than this, whichever of the two is right: it is asked again at once.
        if case .link(_, let link) = notification { surroundings.carriers[link.index] = nil }
        return state.apply(notification)
    }

    /// Derives the path from what is known and from what the kernel answers now.
    func derive() throws(NetlinkError) -> DerivedPath {
        oracle.beginEvaluation()
        let derived = try PathDerivation(question, state: state, surroundings: surroundings, oracle: oracle).derive()
        listed = derived.path.interfaces.map(\.index)
        return derived
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
