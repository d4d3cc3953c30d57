public import FoundationEssentials

/// An answer as a cache keeps it.
public struct StoredResponse: Hashable, Sendable {
    /// The URL that was asked for, without its fragment.
    public let url: String
    public let statusCode: Int
    public let httpVersion: HTTPVersion
    public var headers: HTTPHeaders
    public var body: Data
    /// When the request was sent and when the answer came, in seconds since 1970-01-01 UTC.
    public internal(set) var requestTime: Int64
    public internal(set) var responseTime: Int64
    /// The request's fields that the answer depends on (`Vary`), by their lower-case names; nil for one that was absent.
    public let variant: [String: String?]

    init(_ response: Response, to request: Request, requestTime: Int64, responseTime: Int64) {
        url = Self.key(request.url)
        statusCode = response.statusCode
        httpVersion = response.httpVersion
        headers = HTTPHeaders(response.headers.filter { !Self.hopByHop.contains($0.name.lowercased()) })
        body = response.body
        self.requestTime = requestTime
        self.responseTime = responseTime
        variant = Self.variant(response.headers, of: request)
    }

    /// What a URL is stored under.
    static func key(_ url: URL) -> String {
        String(url.absoluteString.prefix { $0 != "#" })
    }

    /// Whether the answer is for a request with these fields (RFC 9111, section 4.1).
    func fits(_ request: Request) -> Bool {
        variant.allSatisfy { request.headers[$0.key] == $0.value }
    }

    /// Takes over what a 304 says (RFC 9111, section 4.3.4).
    mutating func freshen(_ response: Response, requestTime: Int64, responseTime: Int64) {
        let kept = response.headers.filter {
            !Self.hopByHop.contains($0.name.lowercased()) && !$0.isNamed("Content-Length")
        }
        headers = headers.merging(HTTPHeaders(kept))
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// The bytes it costs to keep it.
    var cost: Int {
        url.utf8.count + body.count + headers.reduce(64) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }

    private static func variant(_ headers: HTTPHeaders, of request: Request) -> [String: String?] {
        var variant: [String: String?] = [:]
        for name in (headers["Vary"] ?? "").split(separator: ",") {
            let name = name.trimmed.lowercased()
            variant.updateValue(request.headers[name], forKey: name)
        }
        return variant
    }

    /// The fields that belong to one connection or message (RFC 9110, section 7.6.1).
    private static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
}
