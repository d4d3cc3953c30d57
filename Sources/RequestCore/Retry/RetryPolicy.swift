public import RequestEngine

/// Tries again what may work the next time: no connection, a lost one, a TLS handshake that came to nothing, a
/// time-out, a server that is overloaded.
///
/// libcurl has one code for a handshake that was cut off and for one that either side refused for good, by the version
/// of TLS for example: both are tried again.
///
/// Only idempotent methods are repeated, unless others are named: a `POST` of which the answer was lost may have been
/// carried out. A certificate that is not trusted, an answer that is not HTTP and the like are not tried again.
public struct RetryPolicy: RequestRetrier {
    /// The most attempts after the first.
    public var limit = 2
    public var backoff = Backoff()
    /// The methods that are sent again.
    public var methods: Set<RequestMethod> = [.get, .head, .options, .trace, .put, .delete, .query]
    /// The status codes after which it is sent again.
    public var statusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// Whether `Retry-After` sets the wait.
    public var honoursRetryAfter = true
    /// The longest wait a server may ask for; if it asks for more, its answer stands.
    public var maximumRetryAfter = Duration.seconds(60)
    /// What limits the retries of many requests together.
    public var budget: RetryBudget?

    public init() {}

    public init(_ change: (inout RetryPolicy) -> Void) {
        change(&self)
    }

    public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
        if attempt.count == 1 { budget?.deposit() }
        guard let delay = delay(after: attempt), budget?.withdraw() ?? true else { return .doNotRetry }
        return .retry(after: delay)
    }

    public func mayRetry(_ head: ResponseHead, of request: Request, count: Int) -> Bool {
        delay(request, count, head.statusCode, head.headers) != nil && (budget?.available ?? 1) >= 1
    }

    private func delay(after attempt: RequestAttempt) -> Duration? {
        switch attempt.result {
        case .success(let response):
            return delay(attempt.request, attempt.count, response.statusCode, response.headers)
        case .failure(let error):
            guard allows(attempt.request, attempt.count), error.reason.mayPass else { return nil }
            return backoff.delay(after: attempt.count)
        }
    }

    private func delay(_ request: Request, _ count: Int, _ statusCode: Int, _ headers: HeaderFields) -> Duration? {
        guard allows(request, count), statusCodes.contains(statusCode) else { return nil }
        guard honoursRetryAfter, let asked = RetryAfter.delay(headers) else { return backoff.delay(after: count) }
        return asked <= maximumRetryAfter ? asked : nil
    }

    private func allows(_ request: Request, _ count: Int) -> Bool {
        count <= limit && methods.contains(request.method)
    }
}
