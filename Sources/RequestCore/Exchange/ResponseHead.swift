/// The header of an answer.
public struct ResponseHead: Sendable {
    public internal(set) var statusCode = 0
    public internal(set) var httpVersion: HTTPVersion?
    public internal(set) var headers = HTTPHeaders()
    /// The fields that came after the body (RFC 9110 section 6.5).
    public internal(set) var trailers = HTTPHeaders()

    public init(statusCode: Int, httpVersion: HTTPVersion? = nil, headers: HTTPHeaders = [:]) {
        self.statusCode = statusCode
        self.httpVersion = httpVersion
        self.headers = headers
    }

    /// The length of the content as the header states it.
    public var contentLength: Int64? {
        // A server may state it several times, as long as it is the same.
        let first = headers.first { $0.isNamed("Content-Length") }?.value.split(separator: ",").first
        return first.flatMap { Int64($0.trimmed) }.flatMap { $0 < 0 ? nil : $0 }
    }
}
