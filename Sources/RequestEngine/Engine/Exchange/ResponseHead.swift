/// The header of an answer.
public struct ResponseHead: Sendable {
    public internal(set) var statusCode = 0
    public internal(set) var httpVersion: ProtocolVersion?
    public internal(set) var headers = HeaderFields()
    /// The fields that came after the body. Not public: a header is mostly shown before they have come.
    package internal(set) var trailers = HeaderFields()

    public init(statusCode: Int, httpVersion: ProtocolVersion? = nil, headers: HeaderFields = [:]) {
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

extension ResponseHead {
    /// Whether nothing but the end of the connection says where the body ends (RFC 9112 section 6.3).
    func endsWithConnection(_ method: RequestMethod) -> Bool {
        guard httpVersion == .http1_0 || httpVersion == .http1_1, method != .head else { return false }
        guard statusCode >= 200, statusCode != 204, statusCode != 304 else { return false }
        return !headers.contains(name: "Content-Length") && !headers.contains(name: "Transfer-Encoding")
    }
}

extension ResponseHead {
    package init(_ response: Response) {
        self.init(statusCode: response.statusCode, httpVersion: response.httpVersion, headers: response.headers)
        trailers = response.trailers
    }
}
