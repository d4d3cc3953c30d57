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
        /// What has accepted its servers: another one where the files that the policy names have changed, such as a list of what
        /// is revoked.
        var evaluator: ObjectIdentifier?
        /// Whether its connections are known to the server as ours: Negotiate proves who asks for all requests of a
        /// connection (RFC 4559 section 6).
        let isNegotiated: Bool
        /// Whether they are to speak HTTP/2 and nothing else: libcurl (7.88) gives such a request a connection of HTTP/1 that
        /// it has kept.
        let isHTTP2Alone: Bool
        /// The addresses of the proxy, where they are told: what libcurl remembers of them by the proxy's name, addresses and
        /// connections, is not for others.
        let proxyAddresses: [IPAddress]?

        /// Whether it is the same but for what accepts servers.
        func replaces(_ other: Key) -> Bool {
            var same = other
            same.evaluator = evaluator
            return same == self && other.evaluator != evaluator
        }
    }

    /// Calls the body on the loop's thread with this pool, and passes on what has ended.
    typealias Enter = @Sendable (_ body: @escaping @Sendable (ConnectionPool) -> [Ended]) -> Void

    /// A transfer that is over, and how it ended.
    struct Ended {
        let transfer: Transfer
        let result: Result<ResponseHead, RequestError>
    }

    let key: Key
    let turn = Turn()
    private let multi: MultiHandle
    private let wakeUps: WakeUps
    private let idleness: IdleWatch
    private let attempts = ConnectionAttempts()
    private let lost = LostSockets()
    private var running: [Transfer.ID: Transfer] = [:]
    private var byHolder: [TaskID: [Transfer.ID]] = [:]
    private var spares = SpareHandles()
    /// The most connections that are kept open without a request. libcurl's own limit, four for each request that runs,
    /// would close good connections whenever a burst of requests comes to its end.
    private static let mostConnectionsKept = 128

    init(
        _ key: Key, _ configuration: SessionConfiguration, loop: EventLoop, enter: @escaping Enter
    ) throws(RequestError) {
        self.key = key
        multi = try MultiHandle()
        wakeUps = WakeUps(loop: loop, turn: turn, enter: enter)
        idleness = IdleWatch(loop: loop, enter: enter)
        try multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost)
        try multi.set(CURLMOPT_MAXCONNECTS, max(Self.mostConnectionsKept, configuration.maximumConnectionsPerHost))
        let sockets = wakeUps.sockets
        multi.onWait = { [attempts, lost] descriptor, interest in
            // Before the watch: the descriptor may be closed by now, and what is watched goes with the last one.
            if interest == nil { attempts.close(descriptor) } else { attempts.look(at: descriptor) }
            if interest == nil { lost.leave(descriptor) }
            sockets.wait(for: descriptor, interest)
        }
        unsafe multi.onOpen = { [attempts, lost] descriptor, context in
            sockets.open(descriptor)
            guard let transfer = unsafe TransferHandle.transfer(of: context) else { return }
            attempts.open(descriptor, for: transfer)
            lost.open(descriptor, for: transfer.id)
        }
        multi.onClose = { [attempts, lost] descriptor in
            attempts.close(descriptor)
            lost.close(descriptor)
            sockets.close(descriptor)
        }
        multi.onTimer = { [wakeUps] delay in wakeUps.setTimer(delay) }
    }

    var isIdle: Bool { running.isEmpty }
    var runningCount: Int { running.count }

    // MARK: Transfers

    func runs(_ id: Transfer.ID) -> Bool { running[id] != nil }

    /// The transfers that a task holds and that run now, in their order.
    func transfers(of holder: TaskID) -> [Transfer.ID] { byHolder[holder] ?? [] }

    /// What is known of a transfer until now.
    func metrics(of id: Transfer.ID) -> RequestMetrics? { running[id]?.presentMetrics }

    /// A handle for a transfer, if possible one that is set up for it already.
    func makeHandle(for setup: HandleSetup) throws(RequestError) -> TransferHandle {
        turn.begin()
        if let handle = spares.take(for: setup) { return handle }
        return try TransferHandle(for: multi)
    }

    /// Starts a transfer. It may end at once.
    func start(_ transfer: Transfer) throws(RequestError) -> [Ended] {
        try multi.add(transfer.easy)
        running[transfer.id] = transfer
        byHolder[transfer.holder, default: []].append(transfer.id)
        idleness.watch(transfer, now: turn.time)
        return tellTime()
    }

    /// Ends a transfer before its time. One that has ended is left alone.
    func fail(_ id: Transfer.ID, _ reason: RequestError.Reason) -> [Ended] {
        guard let transfer = running[id] else { return [] }
        if case .cancelled = reason { transfer.isGivenUp = true }
        multi.remove(transfer.easy)
        attempts.end(transfer)
        attempts.settleFailures()
        defer { settleWakeUps() }
        return [end(transfer, .failure(transfer.failure(reason)))]
    }

    func failAll(_ reason: RequestError.Reason) -> [Ended] {
        running.keys.sorted().flatMap { fail($0, reason) }
    }

    /// Holds a transfer still, or lets it go on.
    func setSuspended(_ id: Transfer.ID, _ isSuspended: Bool) -> [Ended] {
        guard let transfer = running[id], transfer.isSuspended != isSuspended else { return [] }
        guard !isSuspended else {
            transfer.suspend()
            return []
        }
        turn.begin()
        transfer.goOn()
        idleness.watch(transfer, now: turn.time)
        return proceed(id)
    }

    /// Lets a transfer go on that a callback has made wait.
    func proceed(_ id: Transfer.ID) -> [Ended] {
        guard let transfer = running[id], transfer.isPaused, !transfer.isSuspended else { return [] }
        turn.begin()
        transfer.isPaused = false
        transfer.lastActivity = turn.time
        let code = transfer.easy.unpause()
        // Any other failure is none of the transfer: one that has no connection now, for example, has nothing to go on with.
        let isRefused = code != CURLE_OK && (transfer.refusal != nil || transfer.isBrokenOff)
        guard isRefused || code == CURLE_OUT_OF_MEMORY else { return tellTime() }
        return [breakOff(transfer, code)] + tellTime()
    }

    /// Ends a transfer of which libcurl tells no end.
    private func breakOff(_ transfer: Transfer, _ code: CURLcode) -> Ended {
        attempts.end(transfer)
        attempts.settleFailures()
        let result = transfer.outcome(code)
        multi.remove(transfer.easy)
        // Even where we had all that we wanted, libcurl has not tidied the handle up.
        return end(transfer, result, isTidy: false)
    }

    // MARK: What the loop reports

    func ready(_ descriptor: CInt, _ readiness: Readiness) -> [Ended] {
        guard wakeUps.sockets.isAwaited(descriptor, isUsed: isUsed) else { return [] }
        var events: CInt = 0
        if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
        if !readiness.isDisjoint(with: .failed) { events |= CURL_CSELECT_ERR }
        turn.begin()
        attempts.look(at: descriptor)
        multi.ready(descriptor, events: events)
        return settle()
    }

    /// Does what is due by libcurl's clock.
    func timeOut() -> [Ended] {
        turn.begin()
        return wakeUps.alarmFired() ? tellTime() : settle()
    }

    /// Ends those that have waited too long for a byte or a connection.
    func checkIdleness() -> [Ended] {
        turn.begin()
        askKernel(about: running.values.filter { $0.isIdleTooLong(turn.time) })
        let overdue = idleness.overdue(running.values, now: turn.time)
        return overdue.flatMap { fail($0.id, $0.idleSince == nil ? $0.timeOut : $0.idleTimeOut) }
    }

    /// Notes what has moved on the connections of transfers without libcurl's knowing, where no other transfer uses them.
    private func askKernel(about transfers: [Transfer]) {
        guard !transfers.isEmpty else { return }
        let sockets = Dictionary(grouping: wakeUps.sockets.connections) { SocketActivity.localPort(of: $0) }
        let users = Dictionary(grouping: running.values) { $0.metrics.localPort }
        for transfer in transfers {
            guard let port = transfer.metrics.localPort, users[port]?.count == 1, let descriptors = sockets[port],
                descriptors.count == 1, let activity = SocketActivity(of: descriptors[0], now: turn.time)
            else { continue }
            transfer.note(activity)
        }
    }

    private func isUsed(_ descriptor: CInt) -> Bool {
        let port = SocketActivity.localPort(of: descriptor)
        return running.values.contains { $0.metrics.localPort == port }
    }

    // MARK: After libcurl's work

    private func tellTime() -> [Ended] {
        wakeUps.timeTold()
        multi.timeOut()
        return settle()
    }

    private func settle() -> [Ended] {
        var ended = takeEnded()
        while lost.take().contains(where: { running[$0]?.clock.phase == .connect }) {
            multi.lookAtAll()
            ended += takeEnded()
        }
        settleWakeUps()
        return ended
    }

    private func takeEnded() -> [Ended] {
        var ended: [Ended] = []
        attempts.settleFailures()
        while let (context, code) = unsafe multi.nextEnded() {
            guard let transfer = unsafe TransferHandle.transfer(of: context) else { continue }
            attempts.end(transfer)
            attempts.settleFailures()
            let result = transfer.goesOutAgain(after: code) ? nil : transfer.outcome(code)
            noteSilence(after: transfer)
            multi.remove(transfer.easy)
            if result == nil, (try? multi.add(transfer.easy)) != nil { continue }
            ended.append(end(transfer, result ?? transfer.outcome(code)))
        }
        return ended
    }

    /// Until the next request nothing may come over a connection of HTTP/1.
    private func noteSilence(after transfer: Transfer) {
        let version = transfer.metrics.httpVersion
        guard version == .http1_1 || version == .http1_0, let socket = transfer.easy.activeSocket else { return }
        wakeUps.sockets.expectSilence(socket)
    }

    private func settleWakeUps() {
        wakeUps.settle(isIdle: running.isEmpty)
        if running.isEmpty { idleness.stop() }
    }

    private func end(
        _ transfer: Transfer, _ result: Result<ResponseHead, RequestError>, isTidy: Bool = true
    ) -> Ended {
        running[transfer.id] = nil
        forgetHolder(of: transfer)
        spares.keep(transfer.easy, isClean: isTidy && result.isSuccess)
        return Ended(transfer: transfer, result: result)
    }

    private func forgetHolder(of transfer: Transfer) {
        guard let index = byHolder.index(forKey: transfer.holder) else { return }
        if byHolder.values[index].count > 1 {
            byHolder.values[index].removeAll { $0 == transfer.id }
        } else {
            byHolder.remove(at: index)
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
