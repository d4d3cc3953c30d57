internal import FoundationEssentials
public import RequestEngine

/// Puts a token into each request and renews it when it is refused, once for all requests that wait.
///
/// A request refused with an older token is sent again at once. One refused with the present token starts a refresh, or
/// joins the one that runs. If the refresh fails, all requests that wait fail with its error, and so do later requests that
/// are refused with this token, until a new request is sent. Without a token nothing is sent, and what is refused once it has
/// been taken away fails in the same way.
public actor AuthenticationInterceptor<Provider: Authenticator>: RequestAdapter, RequestRetrier {
    public typealias Token = Provider.Token

    /// The most refreshes within a time; more are an error. However slow they are, a request that has outlasted more than
    /// so many has the refusal for its answer.
    public struct RefreshWindow: Sendable {
        public var count: Int
        public var interval: Duration

        public init(count: Int = 5, interval: Duration = .seconds(30)) {
            self.count = count
            self.interval = interval
        }
    }

    private typealias Refresh = PendingValue<Result<Token, RequestError>>

    private let authenticator: Provider
    private let window: RefreshWindow?
    private var token: Token?
    /// Since when there is the present token.
    private var tokenTime = ContinuousClock.now
    private var refresh: (pending: Refresh, isProactive: Bool)?
    private var failure: RequestError?
    private var refreshTimes: [ContinuousClock.Instant] = []

    public init(_ authenticator: Provider, token: Token?, window: RefreshWindow? = RefreshWindow()) {
        self.authenticator = authenticator
        self.token = token
        self.window = window
    }

    /// Replaces the token, for instance after a person has signed in.
    public func setToken(_ token: Token?) {
        self.token = token
        tokenTime = .now
        failure = nil
        // A refresh of what was there before has no say any more.
        let outdated = refresh?.pending
        refresh = nil
        outdated?.resolve(token.map { .success($0) } ?? .failure(RequestError(.authentication(.missingToken))))
    }

    // MARK: Before a request

    public func adapt(_ request: Request) async throws(RequestError) -> Request {
        // The token is for the origin that was asked first.
        guard !request.hasLeftOrigin else { return request }
        failure = nil
        guard var token else { throw RequestError(.authentication(.missingToken)) }
        if isRefreshing {
            // It would wait for itself.
        } else if let refresh {
            // A refusal's refresh does not hold up others: their token may do, and if not, they join it then.
            if refresh.isProactive { token = try await renewed(refresh.pending) }
        } else if authenticator.needsRefresh(token) {
            token = try await renewed(start(token, isProactive: true))
        }
        var authenticated = request
        authenticator.apply(token, to: &authenticated)
        authenticated.noteSecrets(since: request)
        return authenticated
    }

    // MARK: After a request

    nonisolated public func mayRetry(_ head: ResponseHead, of request: Request, count: Int) -> Bool {
        authenticator.isRefusal(head)
    }

    /// Whether no redirect on the way has led away from the origin that the request asked: else its token was not sent, and
    /// the answer is no refusal of it.
    private static func hasStayed(_ response: Response, with request: Request) -> Bool {
        let origin = Origin(request.url)
        return Origin(response.url) == origin && response.redirects.allSatisfy { Origin($0) == origin }
    }

    public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
        guard let response = attempt.response, let sent = attempt.sent,
            !sent.hasLeftOrigin, Self.hasStayed(response, with: sent),
            authenticator.isRefusal(ResponseHead(response))
        else { return .doNotRetry }
        guard let token else { return .fail(RequestError(.authentication(.missingToken), metrics: response.metrics)) }
        guard !isRefreshing else {
            return .fail(
                RequestError(
                    .unacceptableStatus(response.statusCode, body: response.body), metrics: response.metrics))
        }
        // One that has begun with the present token is not sent again as it was: an authenticator may not know its own work
        // again, and another adapter may have written over it.
        guard attempt.start > tokenTime || authenticator.carries(sent, token) else { return .retry }
        if let failure { return .fail(failure) }
        // Slow refreshes never fill the window: a server that refuses every token would hold the request for ever.
        if let window, refreshTimes.count(where: { $0 >= attempt.firstStart }) > window.count { return .doNotRetry }
        do throws(RequestError) {
            _ = try await renewed(refresh?.pending ?? start(token, isProactive: false))
            return .retry
        } catch {
            return .fail(error)
        }
    }

    // MARK: Refreshing

    private func renewed(_ pending: Refresh) async throws(RequestError) -> Token {
        guard let result = await pending.wait() else { throw RequestError(.cancelled) }
        return try result.get()
    }

    /// Starts the one refresh. It belongs to no request in particular, so that it goes on when the request that started it is
    /// cancelled.
    private func start(_ token: Token, isProactive: Bool) -> Refresh {
        let pending = Refresh()
        refresh = (pending, isProactive)
        if let excess = excess() {
            end(pending, .failure(RequestError(.authentication(excess))))
        } else {
            let marked = RefreshMark.interceptors.union([ObjectIdentifier(self)])
            Task { await end(pending, RefreshMark.$interceptors.withValue(marked) { await renew(token) }) }
        }
        return pending
    }

    /// Whether this is a request that the refresh itself sends.
    private var isRefreshing: Bool { RefreshMark.interceptors.contains(ObjectIdentifier(self)) }

    nonisolated private func renew(_ token: Token) async -> Result<Token, RequestError> {
        do {
            return .success(try await authenticator.refresh(token))
        } catch {
            return .failure(RequestError(.authentication(.refreshFailed("\(error)")), underlying: error))
        }
    }

    private func end(_ pending: Refresh, _ result: Result<Token, RequestError>) {
        // A person may have signed out or in meanwhile.
        guard refresh?.pending === pending else { return }
        switch result {
        case .success(let token): setToken(token)
        case .failure(let error):
            refresh = nil
            failure = error
            pending.resolve(result)
        }
    }

    /// Counts the refreshes of the window, this one included.
    private func excess() -> AuthenticationError? {
        guard let window else { return nil }
        let now = ContinuousClock.now
        let recent = refreshTimes.count { $0.duration(to: now) <= window.interval }
        guard recent < window.count else { return .excessiveRefresh(count: recent, within: window.interval) }
        refreshTimes.append(now)
        // One more than the window's tells of a request that has outlasted too many.
        if refreshTimes.count - 1 > window.count { refreshTimes.removeFirst() }
        return nil
    }
}

/// Marks what is done within a refresh.
private enum RefreshMark {
    /// The interceptors whose refresh the present task belongs to.
    @TaskLocal static var interceptors: Set<ObjectIdentifier> = []
}
