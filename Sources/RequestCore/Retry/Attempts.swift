internal import EventLoop
public import RequestEngine

/// Sends a request as often as its retriers ask, each time through its adapters.
///
/// Adapters run in their order, on the original request at each attempt. Retriers are asked in their order, once for an
/// attempt, and the first whose answer is not ``RetryDecision/doNotRetry`` decides. An adapter's error is an attempt's
/// outcome like any other. No retrier is asked about a cancelled request, and nothing is sent again once a stream's reader has
/// the header of an answer: what comes after it would be of another one.
///
/// Of two, such as one of the session and one of the request, each counts for itself, and the first repeats the whole
/// of the second: their attempts multiply.
public struct Attempts: Interceptor {
    public let adapters: [any RequestAdapter]
    public let retriers: [any RequestRetrier]

    public init(adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = []) {
        self.adapters = adapters
        self.retriers = retriers
    }

    /// Makes each of the interceptors both an adapter and a retrier.
    public init(_ interceptors: [any RequestInterceptor], retriers: [any RequestRetrier] = []) {
        self.init(adapters: interceptors, retriers: interceptors + retriers)
    }

    public func respond(
        to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        let firstStart = ContinuousClock.now
        for count in 1... {
            let attempt = await attempt(exchange, count, since: firstStart, next)
            switch await decide(attempt, isBeyondRecall: exchange.delivery.isBeyondRecall) {
            case .doNotRetry: return try Task.isCancelled ? attempt.resultOfCancelled.get() : attempt.result.get()
            case .retry where exchange.delivery.isBeyondRecall: return try attempt.result.get()
            case .retry(let delay):
                TaskObservers(task: exchange.task, monitors: exchange.monitors)
                    .tell(retryAfter: delay, count: attempt.count, attempt.result)
                try await pause(for: delay, on: exchange.session?.loop)
            case .fail(let error): throw error
            }
        }
        throw RequestError(.cancelled)
    }

    private func attempt(
        _ exchange: Exchange, _ count: Int, since firstStart: ContinuousClock.Instant,
        _ next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async -> RequestAttempt {
        var exchange = exchange
        let request = exchange.request
        let start = ContinuousClock.now
        var sent: Request?
        do throws(RequestError) {
            exchange.request = try await adapt(request)
            sent = exchange.request
            exchange.setAside { head in retriers.contains { $0.mayRetry(head, of: request, count: count) } }
            let response = try await next(exchange)
            return RequestAttempt(
                request: request, sent: sent, count: count, start: start, firstStart: firstStart,
                result: .success(response))
        } catch {
            return RequestAttempt(
                request: request, sent: sent, count: count, start: start, firstStart: firstStart,
                result: .failure(error))
        }
    }

    private func adapt(_ request: Request) async throws(RequestError) -> Request {
        var request = request
        for adapter in adapters { request = try await adapter.adapt(request) }
        return request
    }

    private func decide(_ attempt: RequestAttempt, isBeyondRecall: Bool) async -> RetryDecision {
        if attempt.error?.reason == .cancelled || Task.isCancelled { return .doNotRetry }
        if isBeyondRecall, attempt.error != nil { return .doNotRetry }
        if attempt.response?.isFromCache == true { return .doNotRetry }
        for retrier in retriers {
            let decision = await retrier.retry(attempt)
            if case .doNotRetry = decision { continue }
            return decision
        }
        return .doNotRetry
    }

    /// Waits by the session's own loop: Swift's timer begins threads that want descriptors, and wake up each second.
    private func pause(for delay: Duration, on loop: EventLoop?) async throws(RequestError) {
        do {
            if delay > .zero {
                if let loop {
                    try await loop.sleep(for: delay.bounded)
                } else {
                    try await Task.sleep(for: delay.bounded)
                }
            }
            try Task.checkCancellation()
        } catch {
            throw RequestError(.cancelled)
        }
    }
}

extension RequestAttempt {
    /// A retrier gives up a wait that is cancelled, without a word of that.
    fileprivate var resultOfCancelled: Result<Response, RequestError> {
        result.mapError { $0.reason == .cancelled ? $0 : RequestError(.cancelled, metrics: $0.metrics) }
    }
}
