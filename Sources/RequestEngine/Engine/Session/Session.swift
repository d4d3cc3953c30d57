public import EventLoop
import FoundationEssentials
import Synchronization

/// Sends requests, and keeps connections to send the next ones over.
///
/// It gives back whatever the server answers, redirects too: **it follows none**, since it is also what probes are made
/// with. ``HTTPSession`` follows them, at most ten; so does a session with a ``RedirectFollower`` among its interceptors, as
/// that of ``SessionConfiguration/followingRedirects``.
///
/// A session lives on an event loop: its work is done on the loop's thread, and an actor on the same loop calls it
/// without a change of thread. Any number may live side by side; they share nothing. A session that is not referred to any
/// more closes its connections.
public actor Session {
    public nonisolated let configuration: SessionConfiguration
    public nonisolated let loop: EventLoop
    var pools = ConnectionPools()
    private var line = WaitingLine()
    private var isAdmitting = false
    private var destinations = Destinations()
    private var latestPlan: TransferPlan?
    let jar: CookieJar?
    private var evaluators: TrustEvaluators
    var running: [TaskID: TaskObservers] = [:]
    var suspended: Set<TaskID> = []
    /// The tasks whose requests go through interceptors, which may wait for anything.
    private var intercepted: [TaskID: Task<Void, Never>] = [:]
    var shared = SharedTransfers()
    package nonisolated let registry = TaskRegistry()
    private static let numbers = Atomic<UInt64>(1)
    private var isInvalidated = false
    /// Whether nothing more is sent, for tasks that are under way either.
    private var isCancelled = false
    private var hasToldInvalidation = false

    /// Makes a session on a loop.
    public init(configuration: SessionConfiguration = .default, loop: EventLoop) throws(RequestError) {
        try CurlLibrary.require()
        self.configuration = configuration
        evaluators = TrustEvaluators(stores: configuration.trustStores ?? TrustStores())
        jar = try CookieJar(configuration.cookies)
        self.loop = loop
    }

    /// Makes a session on the process's shared loop.
    public init(configuration: SessionConfiguration = .default) throws(RequestError) {
        let loop: EventLoop
        do throws(EventLoopError) { loop = try EventLoop.shared() } catch {
            throw RequestError(.setup("there is no event loop: \(error)"), underlying: error)
        }
        try self.init(configuration: configuration, loop: loop)
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Sends a request and waits for the whole answer, which may be a redirect: see ``RedirectFollower``. Cancelling the
    /// task ends the transfer at once.
    public func response(for request: Request) async throws(RequestError) -> Response {
        try await respond(to: Exchange(request, task: makeTaskID(), delivery: .memory))
    }

    package func response(
        for request: Request, task: TaskID? = nil, monitors: [any EventMonitor]
    ) async throws(RequestError) -> Response {
        var exchange = Exchange(request, task: task ?? makeTaskID(), delivery: .memory)
        exchange.monitors = monitors
        return try await respond(to: exchange)
    }

    // MARK: The end

    /// Refuses new requests and ends those that run, and those not started, with ``RequestError/Reason/cancelled``. Nothing
    /// is sent any more, also by those that follow a redirect or try again at that moment, and what waits between two requests,
    /// such as a retrier or a handler, is cancelled.
    public func invalidateAndCancel() {
        isInvalidated = true
        registry.close()
        isCancelled = true
        for task in registry.tasks { task.cancel() }
        for task in intercepted.values { task.cancel() }
        for waiting in line.leaveAll() { waiting.continuation.resume(returning: .failure(RequestError(.cancelled))) }
        for pool in pools.all { complete(pool.failAll(.cancelled)) }
        pools.removeIdle()
        tellInvalidation()
    }

    /// Refuses new requests and lets those that run, or wait for their turn, and tasks that were started come to their
    /// end, by way of their redirects and retries.
    public func finishAndInvalidate() {
        isInvalidated = true
        registry.close()
        pools.removeIdle()
        tellInvalidation()
    }

    /// An invalidation is told once its last task is over.
    private func tellInvalidation() {
        guard isInvalidated, running.isEmpty, !registry.isExpecting, !hasToldInvalidation else { return }
        hasToldInvalidation = true
        for monitor in configuration.monitors { monitor.observe(invalidationOf: self) }
    }

    // MARK: Tasks

    package nonisolated func makeTaskID() -> TaskID {
        TaskID(number: Self.numbers.wrappingAdd(1, ordering: .relaxed).oldValue)
    }

    /// Carries a task out, from its first request to its last answer.
    package func respond(to exchange: Exchange) async throws(RequestError) -> Response {
        try await carryOut(exchange) { (response, _) throws(RequestError) in
            try exchange.delivery.handOver(response, mayBeCut: exchange.request.cutsBody)
        }
    }

    /// Carries a task out, from its first request to what is made of its last answer.
    package func carryOut<Value: Sendable>(
        _ exchange: consuming Exchange,
        _ finish: @Sendable (Response, TaskObservers) async throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        exchange.session = self
        exchange.monitors += configuration.monitors
        exchange.request.cachePolicy = exchange.request.cachePolicy ?? configuration.cachePolicy
        let observers = TaskObservers(task: exchange.task, monitors: exchange.monitors)
        running[exchange.task] = observers
        let isExpected = registry.arrive(exchange.task)
        defer { forget(exchange.task) }
        observers.tell(.resumed)
        // A suspension may have come before there was a transfer to tell.
        if suspended.contains(exchange.task) { observers.tell(.suspended) }
        do throws(RequestError) {
            guard isExpected || !isInvalidated else { throw RequestError(.sessionInvalidated) }
            let interceptors = InterceptorStage.order(configuration.interceptors + exchange.request.interceptors)
            let response = try await answer(exchange, interceptors)
            // Cancelled as it came, such as by a monitor that has seen its header. A file is in its place by now.
            if Task.isCancelled, exchange.delivery.isMemory {
                throw RequestError(.cancelled, metrics: response.metrics)
            }
            observers.tell(.answered(response))
            let value = try await finish(response, observers)
            observers.tell(.completed(nil))
            return value
        } catch {
            let error = exchange.delivery.conclude(error)
            observers.tell(.completed(error))
            throw error
        }
    }

    /// Goes through the interceptors in a task that can be ended by the session, whatever they wait for.
    private func answer(
        _ exchange: Exchange, _ interceptors: [any Interceptor]
    ) async throws(RequestError) -> Response {
        guard !interceptors.isEmpty else { return try await send(exchange) }
        let id = exchange.task
        let result = await loop.resumingHere { continuation in
            intercepted[id] = Task.immediate(executorPreference: loop) {
                continuation.resume(returning: await self.outcome(of: exchange, interceptors))
            }
        } cancelled: {
            .failure(RequestError(.cancelled))
        } onCancel: {
            loop.schedule(after: .zero) { self.assumeIsolated { $0.intercepted[id]?.cancel() } }
        }
        intercepted[id] = nil
        return try result.get()
    }

    private func outcome(
        of exchange: Exchange, _ interceptors: [any Interceptor]
    ) async -> Result<Response, RequestError> {
        do throws(RequestError) {
            let response = try await respond(to: exchange, through: interceptors[...])
            // It may be one that would have been followed by another attempt.
            guard !isCancelled else { throw RequestError(.cancelled, metrics: response.metrics) }
            return .success(response)
        } catch {
            // What an interceptor makes of the end of its wait is no reason.
            return .failure(isCancelled ? RequestError(.cancelled, metrics: error.metrics) : error)
        }
    }

    private func respond(
        to exchange: Exchange, through interceptors: ArraySlice<any Interceptor>
    ) async throws(RequestError) -> Response {
        guard let first = interceptors.first else { return try await send(exchange) }
        let rest = interceptors.dropFirst()
        return try await first.respond(to: exchange) { (exchange) async throws(RequestError) in
            try await self.respond(to: exchange, through: rest)
        }
    }

    /// Lets go of what is known of a task that is over.
    package func forget(_ task: TaskID) {
        running[task] = nil
        suspended.remove(task)
        tellInvalidation()
    }

    /// The tasks that are under way, in the order they were made.
    public var runningTasks: [TaskID] { running.keys.sorted() }

    /// How far the transfer of a holder has come, and what was measured of it; nil where none runs.
    package func progress(of holder: TaskID) -> RequestMetrics? {
        for pool in pools.all {
            if let id = pool.transfers(of: holder).last { return pool.metrics(of: id) }
        }
        return nil
    }

    // MARK: Transfers

    /// Sends one request and waits for its answer.
    private func send(_ exchange: consuming Exchange) async throws(RequestError) -> Response {
        guard !isCancelled, !Task.isCancelled else { throw RequestError(.cancelled) }
        try exchange.prepareToSend(configuration)
        let (claim, delivery) = (exchange.claim, exchange.delivery)
        try claim?.take()
        let id = makeTaskID().number
        let result = await loop.resumingHere {
            admit(exchange, id, $0)
        } cancelled: {
            .failure(RequestError(.cancelled))
        } onCancel: {
            loop.schedule(after: .zero) { self.assumeIsolated { $0.cancel(id) } }
        }
        claim?.release(result, isBeyondRecall: delivery.isBeyondRecall)
        return try result.get()
    }

    /// Starts a request, or makes it wait until fewer run.
    private func admit(_ exchange: Exchange, _ id: Transfer.ID, _ continuation: WaitingLine.Continuation) {
        if isFull || !line.isEmpty {
            line.join(WaitingLine.Place(id: id, exchange: exchange, continuation: continuation))
        } else {
            start(exchange, id, continuation)
        }
    }

    private var isFull: Bool {
        configuration.maximumConcurrentRequests.map { pools.runningCount >= max(1, $0) } ?? false
    }

    private func start(_ exchange: Exchange, _ id: Transfer.ID, _ continuation: WaitingLine.Continuation) {
        do throws(RequestError) {
            complete(try begin(exchange, id, continuation))
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }

    private func begin(
        _ exchange: Exchange, _ id: Transfer.ID, _ continuation: WaitingLine.Continuation
    ) throws(RequestError) -> [ConnectionPool.Ended] {
        let destination = try destinations.destination(of: exchange.request.url)
        let bufferSize = exchange.delivery.bufferSize
        let (plan, pool, evaluator) = try plan(for: exchange.request, to: destination, bufferSize)
        let settings = plan.settings
        let source = try exchange.request.body?.open(on: loop, resume: proceeding(id))
        try settings.framing.check(source, exchange.request.method)
        let setup =
            source.map { HandleSetup(exchange.request, destination, settings, bufferSize, count: $0.count) }
            ?? plan.setup
        let easy = try pool.makeHandle(for: setup)
        let loan = try loan(settings, for: exchange.request.url)
        let transfer = try Transfer(
            id: id, exchange: exchange, destination: destination, settings: settings, source: source, easy: easy,
            setup: setup,
            turn: pool.turn, receiver: receiver(exchange.delivery, settings, id),
            evaluator: evaluator, cookies: loan?.share ?? jar?.share, continuation: continuation)
        transfer.loan = loan
        if isSuspended(exchange.holder) { transfer.suspend() }
        transfer.observers.tell(.requested(exchange.request))
        return try pool.start(transfer)
    }

    private func plan(
        for request: Request, to destination: Destination, _ bufferSize: Int
    ) throws(RequestError) -> (TransferPlan, ConnectionPool, TrustEvaluator?) {
        if let plan = latestPlan, let pool = plan.pool, plan.bufferSize == bufferSize,
            plan.fits(request, to: destination)
        {
            let evaluator = try evaluator(for: plan.settings.options.securityPolicy)
            if evaluator.map(ObjectIdentifier.init) == pool.key.evaluator { return (plan, pool, evaluator) }
        }
        let settings = try TransferSettings(request, destination, configuration)
        let evaluator = try evaluator(for: settings.options.securityPolicy)
        let pool = try pool(for: settings, evaluator)
        let plan = TransferPlan(
            request, destination, settings, pool, bufferSize, isForAnyHost: configuration.treatsHostsAlike)
        latestPlan = plan
        return (plan, pool, evaluator)
    }

    /// The session's cookies for a request that has some of the same names; nil for any other.
    private func loan(_ settings: TransferSettings, for url: URL) throws(RequestError) -> CookieLoan? {
        guard let jar, settings.options.usesCookies, settings.headers.contains(name: "Cookie") else { return nil }
        // libcurl goes by the field.
        var named = url
        if let host = settings.headers["Host"], !host.isEmpty, let scheme = url.scheme {
            named = URL(string: "\(scheme)://\(host)\(url.path(percentEncoded: true))") ?? url
        }
        return try CookieLoan(jar, without: CookieLine.names(in: settings.headers), for: named)
    }

    private func receiver(
        _ delivery: Delivery, _ settings: TransferSettings, _ id: Transfer.ID
    ) -> any BodyReceiver {
        switch delivery {
        case .memory where settings.options.cutsBody:
            BodySample(limit: settings.options.bodyLimit, breaksOff: true)
        case .memory:
            BodyBuffer(limit: settings.options.bodyLimit)
        case .outlet(let outlet):
            outlet.makeReceiver(resume: proceeding(id))
        }
    }

    /// Makes a transfer go on that waits for a reader or a writer, from any thread.
    private func proceeding(_ id: Transfer.ID) -> @Sendable () -> Void {
        { [weak self, loop] in
            loop.schedule(after: .zero) { [weak self] in self?.assumeIsolated { $0.proceed(id) } }
        }
    }

    private func proceed(_ id: Transfer.ID) {
        guard let pool = pools.pool(running: id) else { return }
        complete(pool.proceed(id))
    }

    private func cancel(_ id: Transfer.ID) {
        if let waiting = line.leave(id) {
            waiting.continuation.resume(returning: .failure(RequestError(.cancelled)))
        } else if let pool = pools.pool(running: id) {
            conclude(pool.fail(id, .cancelled))
            admitSoon()
        }
    }

    /// Starts those whose turn has come, once those that are cancelled at this same moment have left the line.
    private func admitSoon() {
        guard !line.isEmpty else { return }
        loop.schedule(after: .zero) { [weak self] in self?.assumeIsolated { $0.admitWaiting() } }
    }

    /// Tells those whose transfers are over, and starts those who wait for their places.
    func complete(_ ended: [ConnectionPool.Ended]) {
        guard !ended.isEmpty else { return }
        conclude(ended)
        admitWaiting()
    }

    private func conclude(_ ended: [ConnectionPool.Ended]) {
        for ended in ended { ended.transfer.loan?.giveBack() }
        if let jar { for ended in ended { jar.note(set: ended.transfer.namesOfCookies) } }
        for ended in ended { ended.transfer.conclude(ended.result.map { Response(ended.transfer, $0) }) }
        closeUnused()
    }

    /// Lets the pools go that an invalidated session has no use for. Not while requests wait for their turn: the next would
    /// begin in the very pool that tells of the end of the last.
    private func closeUnused() {
        if isInvalidated, line.isEmpty { pools.removeIdle() }
    }

    /// Starts those whose turn has come. One that ends at once leaves its place to the next of this very loop.
    private func admitWaiting() {
        guard !isAdmitting else { return }
        isAdmitting = true
        defer { isAdmitting = false }
        while !isFull, let next = line.next() { start(next.exchange, next.id, next.continuation) }
        closeUnused()
    }

    private func evaluator(for policy: SecurityPolicy?) throws(RequestError) -> TrustEvaluator? {
        guard let policy else { return nil }
        do throws(SecurityError) {
            return try evaluators.evaluator(for: policy)
        } catch {
            guard case .noSystemAnchors(let file, _) = error else { throw RequestError(.security(error)) }
            throw RequestError(.noCAFile(path: file))
        }
    }

    private func pool(
        for settings: TransferSettings, _ evaluator: TrustEvaluator?
    ) throws(RequestError) -> ConnectionPool {
        try pools.pool(for: ConnectionPool.Key(settings.options, evaluator)) { (key, number) throws(RequestError) in
            try ConnectionPool(key, configuration, loop: loop) { [weak self] body in
                self?.assumeIsolated { session in
                    guard let pool = session.pools[number] else { return }
                    session.complete(body(pool))
                }
            }
        }
    }
}

extension ConnectionPool.Key {
    fileprivate init(_ options: RequestOptions, _ evaluator: TrustEvaluator?) {
        self.init(
            interface: options.interface, sourceAddress: options.sourceAddress, family: options.family,
            securityPolicy: options.securityPolicy, evaluator: evaluator.map(ObjectIdentifier.init),
            isNegotiated: options.credential == .negotiate, isHTTP2Alone: options.versionPolicy == .http2,
            proxyAddresses: options.proxyPolicy.addresses)
    }
}

extension Response {
    fileprivate init(_ transfer: Transfer, _ head: ResponseHead) {
        self.init(
            url: transfer.request.url, statusCode: head.statusCode, httpVersion: head.httpVersion ?? .http1_1,
            headers: head.headers, body: transfer.receiver.data, metrics: transfer.metrics)
        method = transfer.request.method
        trailers = head.trailers
        isBodyCut = transfer.receiver.isCut
        timeSpent = transfer.timeSpent + transfer.metrics.duration
    }
}
