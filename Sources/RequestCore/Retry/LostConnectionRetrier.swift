import RequestEngine

/// Sends a request again at once, and once only, if it went out over a connection that had been used before and was lost
/// without an answer: the server has closed it meanwhile, as servers do with idle ones.
public struct LostConnectionRetrier: RequestRetrier {
    public init() {}

    public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
        guard let error = attempt.error, attempt.count == 1, error.metrics.isConnectionReused,
            attempt.request.method.isIdempotent, error.reason.isLossBeforeAnswer
        else { return .doNotRetry }
        return .retry
    }
}
