public import EventLoop
import FoundationEssentials
import Synchronization

/// Sends requests, and keeps connections to send the next ones over.
///
/// A session lives on an event loop: its work is done on the loop's thread, and an actor on the same loop calls it
/// without a change of thread. Any number may live side by side; they share nothing. A session that nobody holds any
/// more closes its connections.
public actor Session {
    public nonisolated let configuration: SessionConfiguration
    public nonisolated let loop: EventLoop
    private var pools: [ConnectionPool.Key: ConnectionPool] = [:]
    private var waiters: [Transfer.ID: Waiter] = [:]
    let jar: CookieJar?
    private var evaluators = TrustEvaluators()
    private var running: [TaskID: TaskObservers] = [:]
    private var suspended: Set<TaskID> = []
    nonisolated let registry = TaskRegistry()
    private nonisolated let numbers = Atomic<UInt64>(1)
    private var isInvalidated = false
    private var hasToldInvalidation = false

    /// Makes a session on a loop.
    public init(configuration: SessionConfiguration = .default, loop: EventLoop) throws(RequestError) {
        try CurlLibrary.require()
        self.configuration = configuration
        jar = try CookieJar(configuration.cookies)
        self.loop = loop
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Sends a request and waits for the whole answer. Cancelling the task ends the transfer at once.
    public func response(for request: Request) async throws(RequestError) -> Response {
        try await response(for: request, monitors: [])
    }

    func response(
        for request: Request, task: TaskID? = nil, monitors: [any EventMonitor]
    ) async throws(RequestError) -> Response {
        var exchange = Exchange(request, task: task ?? makeTaskID(), delivery: .memory)
        exchange.monitors = monitors
        return try await respond(to: exchange)
    }

    // MARK: The end

    /// Refuses new requests and ends those that run with ``RequestError/Reason/cancelled``.
    public func invalidateAndCancel() {
        isInvalidated = true
        for pool in pools.values { complete(pool.failAll(.cancelled)) }
        pools = [:]
        tellInvalidation()
    }

    /// Refuses new requests and lets those that run come to their end.
    public func finishAndInvalidate() {
        isInvalidated = true
        pools = pools.filter { !$0.value.isIdle }
        tellInvalidation()
    }

    /// An invalidation is told once its last task is over.
    private func tellInvalidation() {
        guard isInvalidated, running.isEmpty, !hasToldInvalidation else { return }
        hasToldInvalidation = true
        for monitor in configuration.monitors { monitor.observe(invalidationOf: self) }
    }

    // MARK: Tasks

    nonisolated func makeTaskID() -> TaskID {
        TaskID(number: numbers.wrappingAdd(1, ordering: .relaxed).oldValue)
    }

    /// Carries a task out, from its first request to its last answer.
    func respond(to exchange: Exchange) async throws(RequestError) -> Response {
        try await carryOut(exchange) { (response, _) in response }
    }

    /// Carries a task out, from its first request to what is made of its last answer.
    func carryOut<Value: Sendable>(
        _ exchange: Exchange,
        _ finish: @Sendable (Response, TaskObservers) async throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        var exchange = exchange
        exchange.monitors += configuration.monitors
        exchange.request.cachePolicy = exchange.request.cachePolicy ?? configuration.cachePolicy
        let observers = TaskObservers(task: exchange.task, monitors: exchange.monitors)
        running[exchange.task] = observers
        defer { forget(exchange.task) }
        observers.tell(.resumed)
        do throws(RequestError) {
            let interceptors = configuration.interceptors + exchange.request.interceptors
            let response = try await respond(to: exchange, through: interceptors[...])
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
    func forget(_ task: TaskID) {
        running[task] = nil
        suspended.remove(task)
        tellInvalidation()
    }

    /// The tasks that are under way, in the order they were made.
    public var runningTasks: [TaskID] { running.keys.sorted() }

    /// Holds a task's transfers still, or lets them go on.
    func setSuspended(_ task: TaskID, _ isSuspended: Bool) {
        if isSuspended { suspended.insert(task) } else { suspended.remove(task) }
        running[task]?.tell(isSuspended ? .suspended : .resumed)
        for (id, waiter) in waiters where waiter.task == task {
            guard let pool = pools[waiter.pool] else { continue }
            complete(pool.setSuspended(id, isSuspended))
        }
    }

    // MARK: Transfers

    /// Who waits for a transfer, and in which pool it runs.
    private struct Waiter {
        let task: TaskID
        let pool: ConnectionPool.Key
        let continuation: CheckedContinuation<Result<Response, RequestError>, Never>
    }

    /// Sends one request and waits for its answer.
    private func send(_ exchange: Exchange) async throws(RequestError) -> Response {
        guard !Task.isCancelled else { throw RequestError(.cancelled) }
        let id = makeTaskID().number
        let result = await withTaskCancellationHandler {
            await wait(for: exchange, id)
        } onCancel: {
            loop.schedule(after: .zero) { self.assumeIsolated { $0.fail(id, .cancelled) } }
        }
        return try result.get()
    }

    private func wait(for exchange: Exchange, _ id: Transfer.ID) async -> Result<Response, RequestError> {
        await withCheckedContinuation { continuation in
            do throws(RequestError) {
                try start(exchange, id, continuation)
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }

    private func start(
        _ exchange: Exchange, _ id: Transfer.ID,
        _ continuation: CheckedContinuation<Result<Response, RequestError>, Never>
    ) throws(RequestError) {
        guard !isInvalidated else { throw RequestError(.sessionInvalidated) }
        let settings = try TransferSettings(exchange.request, configuration)
        let key = ConnectionPool.Key(settings)
        let pool = try pool(for: key)
        let transfer = try Transfer(
            id: id, exchange: exchange, settings: settings, easy: pool.makeHandle(),
            receiver: receiver(exchange.delivery, settings, id), evaluator: evaluator(for: settings.securityPolicy),
            cookies: jar?.share)
        transfer.isSuspended = suspended.contains(exchange.task)
        transfer.observers.tell(.requested(exchange.request))
        let ended = try pool.start(transfer)
        waiters[id] = Waiter(task: exchange.task, pool: key, continuation: continuation)
        complete(ended)
    }

    private func receiver(
        _ delivery: Delivery, _ settings: TransferSettings, _ id: Transfer.ID
    ) -> any BodyReceiver {
        switch delivery {
        case .memory:
            BodyBuffer(limit: settings.maximumBodySize)
        case .file(let file):
            FileReceiver(file)
        case .stream(let buffer):
            StreamReceiver(buffer) { [weak self, loop] in
                loop.schedule(after: .zero) { [weak self] in self?.assumeIsolated { $0.proceed(id) } }
            }
        }
    }

    private func proceed(_ id: Transfer.ID) {
        guard let pool = waiters[id].flatMap({ pools[$0.pool] }) else { return }
        complete(pool.proceed(id))
    }

    private func fail(_ id: Transfer.ID, _ reason: RequestError.Reason) {
        guard let pool = waiters[id].flatMap({ pools[$0.pool] }) else { return }
        complete(pool.fail(id, reason))
    }

    private func complete(_ ended: [ConnectionPool.Ended]) {
        for transfer in ended { complete(transfer) }
    }

    private func complete(_ ended: ConnectionPool.Ended) {
        guard let waiter = waiters.removeValue(forKey: ended.transfer.id) else { return }
        waiter.continuation.resume(returning: ended.result.map { Response(ended.transfer, $0) })
        if isInvalidated, pools[waiter.pool]?.isIdle == true { pools[waiter.pool] = nil }
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

    private func pool(for key: ConnectionPool.Key) throws(RequestError) -> ConnectionPool {
        if let pool = pools[key] { return pool }
        let pool = try ConnectionPool(configuration, loop: loop) { [weak self] body in
            self?.assumeIsolated { session in
                guard let pool = session.pools[key] else { return }
                session.complete(body(pool))
            }
        }
        pools[key] = pool
        return pool
    }
}

extension ConnectionPool.Key {
    fileprivate init(_ settings: TransferSettings) {
        self.init(
            interface: settings.interface, sourceAddress: settings.sourceAddress, family: settings.family,
            securityPolicy: settings.securityPolicy)
    }
}

extension Response {
    fileprivate init(_ transfer: Transfer, _ head: ResponseHead) {
        self.init(
            url: transfer.request.url, statusCode: head.statusCode, httpVersion: head.httpVersion ?? .http1_1,
            headers: head.headers, body: transfer.receiver.data, metrics: transfer.metrics)
    }
}
