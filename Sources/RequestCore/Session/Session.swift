public import EventLoop
import FoundationEssentials

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
    private var evaluators = TrustEvaluators()
    private var nextID: Transfer.ID = 1
    private var isInvalidated = false

    /// Makes a session on a loop.
    public init(configuration: SessionConfiguration = .default, loop: EventLoop) throws(RequestError) {
        try CurlLibrary.require()
        self.configuration = configuration
        self.loop = loop
    }

    isolated deinit {
        // Here and not later: what the pools hold belongs to the loop's thread.
        pools = [:]
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Sends a request and waits for the whole answer. Cancelling the task ends the transfer at once.
    public func response(for request: Request) async throws(RequestError) -> Response {
        guard !Task.isCancelled else { throw RequestError(.cancelled) }
        let id = makeID()
        let result: Result<Response, RequestError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                receive(request, id, continuation)
            }
        } onCancel: {
            loop.schedule(after: .zero) { self.assumeIsolated { $0.fail(id, .cancelled) } }
        }
        return try result.get()
    }

    // MARK: The end

    /// Refuses new requests and ends those that run with ``RequestError/Reason/cancelled``.
    public func invalidateAndCancel() {
        isInvalidated = true
        for pool in pools.values { complete(pool.failAll(.cancelled)) }
        pools = [:]
    }

    /// Refuses new requests and lets those that run come to their end.
    public func finishAndInvalidate() {
        isInvalidated = true
        pools = pools.filter { !$0.value.isIdle }
    }

    // MARK: Transfers

    /// Who waits for a transfer, and in which pool it runs.
    private struct Waiter {
        let pool: ConnectionPool.Key
        let completion: (ConnectionPool.Ended) -> Void
    }

    private func makeID() -> Transfer.ID {
        defer { nextID += 1 }
        return nextID
    }

    private func receive(
        _ request: Request, _ id: Transfer.ID,
        _ continuation: CheckedContinuation<Result<Response, RequestError>, Never>
    ) {
        do throws(RequestError) {
            let body = BodyBuffer(limit: request.maximumBodySize ?? configuration.maximumBodySize)
            try start(request, id, body) { ended in
                continuation.resume(returning: ended.result.map { Response(ended.transfer, $0, body.data) })
            }
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }

    private func start(
        _ request: Request, _ id: Transfer.ID, _ receiver: any BodyReceiver,
        completion: @escaping (ConnectionPool.Ended) -> Void
    ) throws(RequestError) {
        guard !isInvalidated else { throw RequestError(.sessionInvalidated) }
        let settings = try TransferSettings(request, configuration)
        let key = ConnectionPool.Key(settings)
        let pool = try pool(for: key)
        let transfer = try Transfer(
            id: id, request: request, settings: settings, easy: pool.makeHandle(), receiver: receiver,
            evaluator: evaluator(for: settings.securityPolicy))
        let ended = try pool.start(transfer)
        waiters[id] = Waiter(pool: key, completion: completion)
        complete(ended)
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
        waiter.completion(ended)
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
    fileprivate init(_ transfer: Transfer, _ head: ResponseHead, _ body: Data) {
        self.init(
            url: transfer.request.url, statusCode: head.statusCode, httpVersion: head.version ?? .http1_1,
            headers: head.headers, body: body, metrics: transfer.metrics)
    }
}
