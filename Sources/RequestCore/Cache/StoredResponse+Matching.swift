import FoundationEssentials
import RequestEngine

extension StoredResponse {
    /// - Parameter sent: The request's fields as they went out.
    init(_ response: Response, to request: Request, sent: HeaderFields, requestTime: Int64, responseTime: Int64) {
        let url = Self.key(request.url)
        let headers = HeaderFields(response.headers.filter { !Self.hopByHop.contains($0.name.lowercased()) })
        self.init(
            url: url, statusCode: response.statusCode, httpVersion: response.httpVersion, headers: headers,
            body: response.body, requestTime: requestTime, responseTime: responseTime,
            variant: Self.variant(headers, sent, url, request.secrecy.fields))
    }

    /// The most variants of one URL that a storage keeps: all of them are looked at whenever the URL is asked for.
    static let mostVariants = 16

    /// What a URL is stored under: without its fragment, and without a name and password, which are secret.
    static func key(_ url: URL) -> String {
        guard url.user(percentEncoded: true) == nil else { return key(withoutUser: url) }
        return String(url.absoluteString.prefix { $0 != "#" })
    }

    private static func key(withoutUser url: URL) -> String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
        components.user = nil
        components.password = nil
        components.fragment = nil
        return components.string ?? ""
    }

    /// Whether the answer is for a request that is sent with these fields (RFC 9111, section 4.1).
    func fits(_ sent: HeaderFields) -> Bool {
        variant.allSatisfy { Self.digest($0.key, sent, url) == $0.value }
    }

    /// Whether a 304 is about this answer, and not about a version that is not kept (RFC 9111, section 4.3.4). Servers mark
    /// the tag of a compressed answer as weak, and not that of the 304 to it.
    func isMeant(by response: Response) -> Bool {
        guard let tag = response.headers.values(of: "ETag").first, tag.hasPrefix("\""),
            let own = headers.values(of: "ETag").first
        else { return true }
        return own == tag || own == "W/\(tag)"
    }

    /// Takes over what a 304 says (RFC 9111, section 4.3.4).
    mutating func freshen(
        _ response: Response, to request: Request, sent: HeaderFields, requestTime: Int64, responseTime: Int64
    ) {
        let kept = response.headers.filter {
            !Self.hopByHop.contains($0.name.lowercased()) && !$0.isNamed("Content-Length")
        }
        headers = headers.merging(HeaderFields(kept))
        variant = Self.variant(headers, sent, url, request.secrecy.fields)
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// The bytes it costs to keep it.
    var cost: Int {
        url.utf8.count + body.count + headers.reduce(64) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }

    /// - Parameter secret: The fields that identify the client, beside those that all know.
    private static func variant(
        _ headers: HeaderFields, _ sent: HeaderFields, _ url: String, _ secret: Set<String>
    ) -> [String: String?] {
        var names = (headers["Vary"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        // A server that is asked by another name than the URL's is another one.
        names.append("host")
        // What is for one client is not for another, whether the server says so or not.
        if !CacheControl(headers).contains("public") {
            names += ["authorization", "cookie", "x-api-key", "x-auth-token"] + secret
        }
        var variant: [String: String?] = [:]
        for name in names where !name.isEmpty { variant.updateValue(digest(name, sent, url), forKey: name) }
        return variant
    }

    /// A field's value as it may be kept: it is not read again, and it is another one for another URL.
    private static func digest(_ name: String, _ sent: HeaderFields, _ url: String) -> String? {
        sent[name].map { SHA256Digest(of: Array("\(url)\n\(name)\n\($0)".utf8)).description }
    }

    /// The fields that belong to one connection or message (RFC 9110, section 7.6.1).
    private static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
}
