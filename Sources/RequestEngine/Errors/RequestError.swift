/// Why a request gave no answer, and what was measured until then.
public struct RequestError: Error, Sendable {
    public let reason: Reason
    /// What was measured until the failure. All zero where nothing was sent.
    public var metrics: RequestMetrics

    /// How to go on with the download that failed; nil where that is not possible or was not asked for. Where nothing new was
    /// written, as where the server refused, it is what the download was given.
    public var resumeData: ResumeData?

    /// The error of the program's own that led to this one, where there is one.
    public var underlying: (any Error)?

    public init(
        _ reason: Reason, metrics: RequestMetrics = RequestMetrics(), underlying: (any Error)? = nil
    ) {
        self.reason = reason
        self.metrics = metrics
        self.underlying = underlying
    }

    /// The phase in which the request failed; nil where it was refused before it began.
    public var failedPhase: Phase? { metrics.failedPhase }
}
