public import RequestEngine

/// An answer, and the value its body was read as.
public struct TypedResponse<Value: Sendable>: Sendable {
    /// Nil where the answer has no content.
    public let value: Value?
    public let response: Response
    /// Whether a ``Downloader`` had kept it, and nothing was asked.
    public internal(set) var isFromCache = false

    public var statusCode: Int { response.statusCode }
    public var headers: HeaderFields { response.headers }
    public var metrics: RequestMetrics { response.metrics }

    init(value: Value?, response: Response) {
        self.value = value
        self.response = response
    }
}
