public import FoundationEssentials

/// An answer as a cache keeps it.
public struct StoredResponse: Hashable, Sendable {
    /// The URL that was asked for, without its fragment.
    public let url: String
    public let statusCode: Int
    public let httpVersion: ProtocolVersion
    public var headers: HeaderFields
    public var body: Data
    /// When the request was sent and when the answer came, in seconds since 1970-01-01 UTC.
    public package(set) var requestTime: Int64
    public package(set) var responseTime: Int64
    /// The request's fields that the answer depends on, as they were sent, by their lower-case names: those that `Vary`
    /// names, `host`, and `authorization` unless the answer is `public`. Each with a digest of its value, which may be secret; nil
    /// for one that was absent.
    public package(set) var variant: [String: String?]

    package init(
        url: String, statusCode: Int, httpVersion: ProtocolVersion, headers: HeaderFields, body: Data,
        requestTime: Int64, responseTime: Int64, variant: [String: String?]
    ) {
        self.url = url
        self.statusCode = statusCode
        self.httpVersion = httpVersion
        self.headers = headers
        self.body = body
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.variant = variant
    }
}
