import EventLoop
import FoundationEssentials
public import RequestEngine

/// Fetches values, at most so many at once, identical requests only once, and keeps them: in memory, unless it is given
/// another cache.
///
/// Requests are identical where method, URL, header fields and options are, and nothing is sent: then all callers get the
/// same answer of one transfer, and cancelling one of them leaves the others.
public actor Downloader<Value: Sendable> {
    public typealias Answer = TypedResponse<Value>
    private typealias Outcome = Result<Answer, HTTPSessionError>

    private enum Key: Hashable {
        /// What may be had of a cache on the way is no other's affair.
        case alike(DownloadKey, CachePolicy?)
        /// One that is like no other.
        case alone(UInt64)
    }

    private let loop: EventLoop
    private let load: @Sendable (Request) async throws(HTTPSessionError) -> Answer
    private var queue: DownloadQueue<Key>
    private let cache: any DownloadCache<Value>
    private var requests: [Key: Request] = [:]
    private var aloneCount: UInt64 = 0
    private var transfers: [Key: Task<Void, Never>] = [:]
    private var waiters: [DownloadQueue<Key>.Receipt: CheckedContinuation<Outcome, Never>] = [:]

    /// The defaults are AFNetworking's: four at once in the order they were asked for, and 100 MiB of answers kept,
    /// purged to 60 MiB. An answer costs the bytes of its body, its URL and its header, and 1 KiB, unless another cost
    /// is given.
    public init(
        session: HTTPSession, serializer: some ResponseSerializer<Value>, maximumActive: Int = 4,
        order: DownloadOrder = .firstInFirstOut, cacheCapacity: Int = 100 << 20,
        cost: (@Sendable (Answer) -> Int)? = nil
    ) {
        self.init(
            session: session, serializer: serializer, maximumActive: maximumActive, order: order,
            cache: MemoryDownloadCache(capacity: cacheCapacity, cost: cost))
    }

    /// Keeps answers in a cache of the caller's, which others may share.
    public init(
        session: HTTPSession, serializer: some ResponseSerializer<Value>, maximumActive: Int = 4,
        order: DownloadOrder = .firstInFirstOut, cache: some DownloadCache<Value>
    ) {
        loop = session.session.loop
        load = { (request) async throws(HTTPSessionError) in try await session.send(request, as: serializer) }
        queue = DownloadQueue(maximumActive: maximumActive, order: order)
        self.cache = cache
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// How many transfers run now.
    public var activeCount: Int { queue.active.count }

    /// The answer to a request: from the cache (``TypedResponse/isFromCache``), from a transfer that is under way, or from
    /// one of its own. Cancelling the task gives the request up at once.
    public func answer(to request: Request) async throws(HTTPSessionError) -> Answer {
        let key = key(of: request)
        if case .alike = key, request.cachePolicy != .reload, var cached = await cache.answer(to: request) {
            cached.isFromCache = true
            return cached
        }
        requests[key] = request
        let (receipt, actions) = queue.add(key)
        let outcome: Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                guard !Task.isCancelled else {
                    // The handler may have given it up before there was anything to tell.
                    cancel(receipt)
                    return waiter.resume(returning: .failure(.transfer(RequestError(.cancelled))))
                }
                waiters[receipt] = waiter
                perform(actions)
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.cancel(receipt) }
        }
        return try outcome.get()
    }

    private func key(of request: Request) -> Key {
        if let key = DownloadKey(request) { return .alike(key, request.cachePolicy) }
        aloneCount += 1
        return .alone(aloneCount)
    }

    /// Forgets all answers that are kept.
    public func removeCachedAnswers() async {
        await cache.removeAll()
    }

    /// Forgets the answer that is kept for a request; whether there was one.
    @discardableResult
    public func removeCachedAnswer(to request: Request) async -> Bool {
        await cache.remove(request)
    }

    private func cancel(_ receipt: DownloadQueue<Key>.Receipt) {
        guard let actions = queue.cancel(receipt) else { return }
        if !queue.contains(receipt.key) { requests[receipt.key] = nil }
        waiters.removeValue(forKey: receipt)?.resume(returning: .failure(.transfer(RequestError(.cancelled))))
        perform(actions)
    }

    private func perform(_ actions: DownloadQueue<Key>.Actions) {
        for key in actions.cancel { transfers.removeValue(forKey: key)?.cancel() }
        for key in actions.start { start(key) }
    }

    private func start(_ key: Key) {
        guard let request = requests[key] else { return }
        transfers[key] = Task(executorPreference: loop) { [load] in
            do throws(HTTPSessionError) {
                await self.complete(key, .success(try await load(request)))
            } catch {
                await self.complete(key, .failure(error))
            }
        }
    }

    private func complete(_ key: Key, _ outcome: Outcome) async {
        if case .alike = key, case .success(let answer) = outcome, let request = requests[key] {
            await keep(answer, to: request)
        }
        // One that was given up may end after another for the same key has begun.
        guard !Task.isCancelled else { return }
        transfers[key] = nil
        requests[key] = nil
        let (receivers, actions) = queue.complete(key)
        for receipt in receivers { waiters.removeValue(forKey: receipt)?.resume(returning: outcome) }
        perform(actions)
    }

    private func keep(_ answer: Answer, to request: Request) async {
        guard !Task.isCancelled, await cache.shouldKeep(answer, to: request), !Task.isCancelled else { return }
        await cache.keep(answer, to: request)
    }
}
