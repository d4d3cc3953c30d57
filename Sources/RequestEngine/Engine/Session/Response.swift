public import FoundationEssentials

/// A complete answer. Every status code is an answer: what counts as a failure is the caller's choice.
public struct Response: Sendable {
    /// The URL that answered.
    public var url: URL
    /// The method of the request that it answers: to `HEAD` there is no content, whatever the fields say.
    public var method = RequestMethod.get
    public var statusCode: Int
    public var httpVersion: ProtocolVersion
    /// The fields of the final header, without those of informational answers (1xx).
    public var headers: HeaderFields
    /// The content, decompressed where the session asked for compression.
    public var body: Data
    /// The fields that came after the body (RFC 9110 section 6.5). They are apart from the header: they could
    /// take the place of what it says. A cache keeps none.
    public var trailers = HeaderFields()
    public var metrics: RequestMetrics
    /// The URLs that redirected here, the first one first.
    public var redirects: [URL] = []
    /// Where a cache on the way has got the answer from; nil without one.
    public var cacheUse: CacheUse?

    /// Whether the body is only the beginning of what came.
    package internal(set) var isBodyCut = false
    /// Why the body could not be unpacked, of an answer that was set aside. It is an error once that turns out to be
    /// the last.
    package private(set) var bodyFlaw: RequestError.Reason?
    /// What it has taken of ``Timeouts/total``, with all that led to it.
    package var timeSpent = Duration.zero
    /// The phases of the requests that were redirected here.
    package internal(set) var earlierPhases: [Phase: Duration] = [:]
    /// Whether no server has said this now: sending again would change nothing.
    package var isFromCache = false

    public init(
        url: URL, statusCode: Int, httpVersion: ProtocolVersion = .http1_1, headers: HeaderFields = [:],
        body: Data = Data(), metrics: RequestMetrics = RequestMetrics()
    ) {
        self.url = url
        self.statusCode = statusCode
        self.httpVersion = httpVersion
        self.headers = headers
        self.body = body
        self.metrics = metrics
    }

    /// The same with what is wrong with its body, of which it has the beginning only then.
    func noting(_ flaw: RequestError.Reason?) -> Response {
        guard let flaw else { return self }
        var response = self
        response.bodyFlaw = flaw
        response.isBodyCut = true
        return response
    }
}
