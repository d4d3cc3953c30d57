public import RequestEngine

/// Decides whether a request is sent again.
public protocol RequestRetrier: Sendable {
    /// Decides about an attempt. Called once for each attempt, with its whole outcome, and never for one that was
    /// cancelled.
    func retry(_ attempt: RequestAttempt) async -> RetryDecision

    /// Whether an answer with this header may be one to ask again for: its body is then kept back from a stream or
    /// download until that is decided. Called on the loop's thread.
    func mayRetry(_ head: ResponseHead, of request: Request, count: Int) -> Bool
}

extension RequestRetrier {
    public func mayRetry(_ head: ResponseHead, of request: Request, count: Int) -> Bool { false }
}

/// An adapter and a retrier in one, as whatever authenticates is.
public typealias RequestInterceptor = RequestAdapter & RequestRetrier

/// One time a request was sent, and what came of it.
public struct RequestAttempt: Sendable {
    /// The request as it was asked for.
    public let request: Request
    /// The request as the adapters changed it; nil where one of them refused.
    public let sent: Request?
    /// How often it was sent, this time included.
    public let count: Int
    /// When it began, before the adapters were asked.
    let start: ContinuousClock.Instant
    /// When the first one of the same request began.
    let firstStart: ContinuousClock.Instant
    public let result: Result<Response, RequestError>

    /// The answer, where there was one.
    public var response: Response? { try? result.get() }

    /// The error, where there was no answer.
    public var error: RequestError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

/// What a retrier wants.
public enum RetryDecision: Sendable {
    /// It has no reason to try again; the next retrier is asked.
    case doNotRetry
    /// Try again after a while.
    case retry(after: Duration)
    /// Do not try again, and fail with this error in place of what happened.
    case fail(RequestError)

    /// Try again at once.
    public static let retry = RetryDecision.retry(after: .zero)
}
