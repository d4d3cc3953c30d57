import CCurl
import EventLoop
import NetworkAddress

/// Transfers that may share connections, and libcurl's work for them on the loop.
///
/// It stays on the session's loop. What the loop reports comes in through `enter`, which the session gives.
final class ConnectionPool {
    /// What makes connections alike: only requests of equal keys share any.
    struct Key: Hashable {
        let interface: InterfaceBinding?
        let sourceAddress: IPAddress?
        let family: AddressFamily?
        /// Nil without TLS.
        let securityPolicy: SecurityPolicy?
    }

    /// Calls the body on the loop's thread with this pool, and passes on what has ended.
    typealias Enter = @Sendable (_ body: @escaping @Sendable (ConnectionPool) -> [Ended]) -> Void

    /// A transfer that is over, and how it ended.
    struct Ended {
        let transfer: Transfer
        let result: Result<ResponseHead, RequestError>
    }

    private struct Running {
        let transfer: Transfer
        var idleTimer: Timer?
    }

    private let multi: MultiHandle
    private let wakeUps: WakeUps
    private let loop: EventLoop
    private let enter: Enter
    private var running: [Transfer.ID: Running] = [:]
    private var spareHandles: [EasyHandle] = []
    private static let mostSpareHandles = 32

    init(_ configuration: SessionConfiguration, loop: EventLoop, enter: @escaping Enter) throws(RequestError) {
        self.loop = loop
        self.enter = enter
        multi = try MultiHandle()
        wakeUps = WakeUps(loop: loop, enter: enter)
        try multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost)
        multi.onWait = { [wakeUps] descriptor, interest in wakeUps.wait(for: descriptor, interest) }
        multi.onTimer = { [wakeUps] delay in wakeUps.setTimer(delay) }
    }

    var isIdle: Bool { running.isEmpty }

    // MARK: Transfers

    /// A handle for a transfer, used before or new.
    func makeHandle() throws(RequestError) -> EasyHandle {
        if let handle = spareHandles.popLast() { return handle }
        return try EasyHandle()
    }

    /// Starts a transfer. It may end at once.
    func start(_ transfer: Transfer) throws(RequestError) -> [Ended] {
        try multi.add(transfer.easy)
        running[transfer.id] = Running(transfer: transfer)
        if let limit = transfer.settings.timeouts.idle { watchIdleness(of: transfer, limit) }
        return timeOut()
    }

    /// Ends a transfer before its time. One that has ended is left alone.
    func fail(_ id: Transfer.ID, _ reason: RequestError.Reason) -> [Ended] {
        guard let transfer = running[id]?.transfer else { return [] }
        multi.remove(transfer.easy)
        return [end(transfer, .failure(transfer.failure(reason)))]
    }

    func failAll(_ reason: RequestError.Reason) -> [Ended] {
        running.keys.sorted().flatMap { fail($0, reason) }
    }

    /// Holds a transfer still, or lets it go on.
    func setSuspended(_ id: Transfer.ID, _ isSuspended: Bool) -> [Ended] {
        running[id]?.transfer.isSuspended = isSuspended
        return isSuspended ? [] : proceed(id)
    }

    /// Lets a transfer go on that a callback has made wait.
    func proceed(_ id: Transfer.ID) -> [Ended] {
        guard let transfer = running[id]?.transfer, transfer.isPaused, !transfer.isSuspended else { return [] }
        transfer.isPaused = false
        transfer.lastActivity = .now
        transfer.easy.unpause()
        return timeOut()
    }

    // MARK: What the loop reports

    func ready(_ descriptor: CInt, _ readiness: Readiness) -> [Ended] {
        var events: CInt = 0
        if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
        if !readiness.isDisjoint(with: .failed) { events |= CURL_CSELECT_ERR }
        multi.ready(descriptor, events: events)
        return endFinished()
    }

    func timeOut() -> [Ended] {
        multi.timeOut()
        return endFinished()
    }

    private func endFinished() -> [Ended] {
        var ended: [Ended] = []
        while let (context, code) = multi.nextEnded() {
            let transfer = Transfer.from(context)
            multi.remove(transfer.easy)
            ended.append(end(transfer, transfer.outcome(code)))
        }
        return ended
    }

    private func end(_ transfer: Transfer, _ result: Result<ResponseHead, RequestError>) -> Ended {
        if let timer = running.removeValue(forKey: transfer.id)?.idleTimer { loop.cancel(timer) }
        if spareHandles.count < Self.mostSpareHandles {
            transfer.easy.reset()
            spareHandles.append(transfer.easy)
        }
        return Ended(transfer: transfer, result: result)
    }

    // MARK: Idleness

    private func watchIdleness(of transfer: Transfer, _ limit: Duration) {
        let id = transfer.id
        let deadline = (transfer.idleSince ?? .now).advanced(by: limit)
        running[id]?.idleTimer = loop.schedule(at: deadline) { [enter] in
            enter { $0.checkIdleness(of: id, limit) }
        }
    }

    private func checkIdleness(of id: Transfer.ID, _ limit: Duration) -> [Ended] {
        guard let transfer = running[id]?.transfer else { return [] }
        guard let since = transfer.idleSince, since.duration(to: .now) >= limit else {
            watchIdleness(of: transfer, limit)
            return []
        }
        return fail(id, .timedOut(transfer.clock.phase, after: limit))
    }
}
