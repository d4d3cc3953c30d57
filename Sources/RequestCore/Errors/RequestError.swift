/// Why a request gave no answer, and what was measured until then.
public struct RequestError: Error, Sendable {
    public let reason: Reason
    /// What was measured until the failure. All zero where nothing was sent.
    public var metrics: RequestMetrics

    /// How to go on with the download that failed; nil where that is not possible or was not asked for.
    public var resumeData: ResumeData?

    public init(_ reason: Reason, metrics: RequestMetrics = RequestMetrics()) {
        self.reason = reason
        self.metrics = metrics
    }

    /// The phase in which the request failed; nil where it was refused before it began.
    public var failedPhase: Phase? { metrics.failedPhase }
}
