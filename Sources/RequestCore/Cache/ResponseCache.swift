internal import FoundationEssentials
public import RequestEngine

/// Answers requests from what it has kept, as RFC 9111 lets a private cache do.
///
/// It keeps whole answers to `GET`, and lets streams and downloads pass, unless the server may not be asked
/// (``CachePolicy/cacheOnly``, `only-if-cached`): those get the status 504. A request with a security policy, addresses, a
/// proxy, an interface, a source address or a family of its own is passed too, and one that only connects: what came another way
/// is not given to it, nor what it gets to others. A storage should therefore belong to sessions with equal policies only.
///
/// It sees each request as it is sent, wherever it stands in the list: `Vary` is about the session's fields, a credential,
/// a token and cookies too. An answer to a request with `Authorization` is given to requests with the same only, unless the
/// server says that it is `public`.
public struct ResponseCache: Interceptor {
    private let storage: any CacheStorage
    private let willStore: @Sendable (StoredResponse) -> StoredResponse?
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - storage: Where answers are kept.
    ///   - willStore: Called before an answer is kept; gives what to keep, or nil to keep nothing.
    ///   - now: The time in seconds since 1970-01-01 UTC.
    public init(
        storage: any CacheStorage = MemoryCache(),
        willStore: @escaping @Sendable (StoredResponse) -> StoredResponse? = { $0 },
        now: @escaping @Sendable () -> Int64 = WallClock.seconds
    ) {
        self.storage = storage
        self.willStore = willStore
        self.now = now
    }

    public var stage: InterceptorStage { .storing }

    public func respond(
        to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        let request = exchange.request
        let nothing = Response(url: request.url, statusCode: 504).fromCache(to: request)
        let sent = await exchange.session?.sentFields(of: request) ?? request.headers
        let isForCacheAlone = CacheRules.isForCacheAlone(request, sent: sent)
        guard CacheRules.concerns(request), exchange.delivery.isMemory else {
            return isForCacheAlone ? nothing : try await passThrough(exchange, next)
        }
        let stored = await find(request, sent, limit(exchange))
        if let stored, isUsable(stored, request, sent) { return stored.response(to: request, .hit) }
        return isForCacheAlone ? nothing : try await load(exchange, sent, stored, next)
    }

    // MARK: Looking

    private func find(_ request: Request, _ sent: HeaderFields, _ limit: Int) async -> StoredResponse? {
        guard request.cachePolicy != .reload else { return nil }
        return await storage.responses(for: StoredResponse.key(request.url))
            .filter { $0.fits(sent) && $0.body.count <= limit }
            .max { $0.responseTime < $1.responseTime }
    }

    /// The longest body that may be given. Of a longer one the server's answer tells that it is too long.
    private func limit(_ exchange: Exchange) -> Int {
        guard exchange.request.method != .head else { return .max }
        return exchange.request.maximumBodySize ?? exchange.session?.configuration.maximumBodySize ?? .max
    }

    private func isUsable(_ stored: StoredResponse, _ request: Request, _ sent: HeaderFields) -> Bool {
        switch request.cachePolicy ?? .standard {
        case .cacheElseLoad, .cacheOnly: true
        case .reload: false
        case .standard: Freshness(stored).isUsable(by: CacheControl(sent), at: now())
        }
    }

    // MARK: Asking

    private func load(
        _ exchange: Exchange, _ sent: HeaderFields, _ stored: StoredResponse?,
        _ next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        let request = exchange.request
        var question = exchange
        if let stored { question.request = CacheRules.conditional(request, stored) }
        let requestTime = now()
        do throws(RequestError) {
            let response = try await next(question)
            if let stored, response.statusCode == 304 {
                guard stored.isMeant(by: response) else { return try await reload(exchange, sent, response, next) }
                return await freshen(stored, response, request, sent, requestTime)
            }
            if response.statusCode >= 500, let substitute = substitute(stored, request, sent) { return substitute }
            await keep(response, request, sent, requestTime, over: stored)
            return response.marked(.miss)
        } catch {
            guard error.reason != .cancelled, let substitute = substitute(stored, request, sent) else { throw error }
            return substitute
        }
    }

    private func freshen(
        _ stored: StoredResponse, _ response: Response, _ request: Request, _ sent: HeaderFields, _ requestTime: Int64
    ) async -> Response {
        var fresh = stored
        fresh.freshen(response, to: request, sent: sent, requestTime: requestTime, responseTime: now())
        await store(CacheRules.mayKeep(fresh.headers) ? fresh : nil, request, over: stored)
        var answer = fresh.response(to: request, .revalidated)
        answer.metrics = response.metrics
        answer.timeSpent = response.timeSpent
        return answer
    }

    /// Asks for the whole, after a 304 about another version than the one that is kept.
    private func reload(
        _ exchange: Exchange, _ sent: HeaderFields, _ response: Response,
        _ next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        var exchange = exchange
        exchange.noteTime(of: response)
        await storage.remove(url: StoredResponse.key(exchange.request.url))
        return try await load(exchange, sent, nil, next)
    }

    private func substitute(_ stored: StoredResponse?, _ request: Request, _ sent: HeaderFields) -> Response? {
        guard let stored, Freshness(stored).isUsableOnError(by: CacheControl(sent), at: now()) else {
            return nil
        }
        return stored.response(to: request, .staleOnError)
    }

    private func keep(
        _ response: Response, _ request: Request, _ sent: HeaderFields, _ requestTime: Int64,
        over stored: StoredResponse?
    ) async {
        // After a redirect the answer is another URL's.
        guard response.redirects.isEmpty else { return }
        if CacheRules.mayStore(response, to: request, sent: sent) {
            let fresh = StoredResponse(
                response, to: request, sent: sent, requestTime: requestTime, responseTime: now())
            await store(fresh, request, over: stored)
        } else if CacheRules.supersedes(response, request) {
            await store(nil, request, over: stored)
        }
    }

    /// Keeps an answer, or forgets the one that it outdates: it is not given again.
    private func store(_ response: StoredResponse?, _ request: Request, over stored: StoredResponse?) async {
        if let kept = response.flatMap(request.willStore ?? willStore) { return await storage.store(kept) }
        // With the policy `reload` no look was taken whether there is one.
        guard stored != nil || request.cachePolicy == .reload else { return }
        await storage.remove(url: StoredResponse.key(request.url))
    }

    private func passThrough(
        _ exchange: Exchange, _ next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        let response = try await next(exchange)
        for url in CacheRules.invalidated(by: exchange.request, response) { await storage.remove(url: url) }
        return response
    }
}

extension Response {
    fileprivate func marked(_ use: CacheUse) -> Response {
        var response = self
        response.cacheUse = use
        return response
    }

    /// Told to a retrier that would send again what no server has answered.
    fileprivate func fromCache(to request: Request) -> Response {
        var response = self
        response.method = request.method
        response.isFromCache = true
        return response
    }
}

extension StoredResponse {
    fileprivate func response(to request: Request, _ use: CacheUse) -> Response {
        let body = request.method == .head ? Data() : body
        return Response(
            url: request.url, statusCode: statusCode, httpVersion: httpVersion, headers: headers, body: body
        )
        .marked(use).fromCache(to: request)
    }
}
