internal import FoundationEssentials
import RequestEngine

/// What may be stored, and what must be dropped (RFC 9111, sections 3 and 4.4). The cache is a private one.
enum CacheRules {
    /// Whether the cache has anything to do with a request: it reads, it asks for the whole, with
    /// no condition of its own, and in the session's own way.
    static func concerns(_ request: Request) -> Bool {
        guard request.method == .get || request.method == .head, request.body == nil else { return false }
        guard !goesItsOwnWay(request) else { return false }
        let conditions = ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
        return !conditions.contains { request.headers.contains(name: $0) }
    }

    /// Whether another server may answer it than the one that answers the session's other requests of the same URL.
    private static func goesItsOwnWay(_ request: Request) -> Bool {
        request.securityPolicy != nil || request.addresses != nil || request.proxy != nil || request.interface != nil
            || request.sourceAddress != nil || request.family != nil || request.connectsOnly
    }

    /// Whether the server may not be asked, whatever the request is.
    static func isForCacheAlone(_ request: Request, sent: HeaderFields) -> Bool {
        request.cachePolicy == .cacheOnly || CacheControl(sent).contains("only-if-cached")
    }

    static func mayStore(_ response: Response, to request: Request, sent: HeaderFields) -> Bool {
        guard request.method == .get, response.statusCode >= 200, !response.isBodyCut, !response.isFromCache,
            !Self.momentary.contains(response.statusCode)
        else { return false }
        let control = CacheControl(response.headers)
        guard mayKeep(response.headers), !CacheControl(sent).contains("no-store") else { return false }
        return control.contains("max-age") || response.headers.contains(name: "Expires") || control.contains("public")
            || control.contains("private") || Freshness.heuristicallyCacheable.contains(response.statusCode)
    }

    /// Whether an answer can be given to another request at all: with `Vary: *` it cannot (RFC 9110, section 12.5.5), and
    /// with `no-store` it may not. One that varies by more fields than any request has is as good as one with `Vary: *`, and would
    /// cost a digest for each of them.
    static func mayKeep(_ headers: HeaderFields) -> Bool {
        let vary = headers["Vary"] ?? ""
        guard !vary.contains("*"), vary.utf8.count(where: { $0 == UInt8(ascii: ",") }) < mostVaryingFields else {
            return false
        }
        return !CacheControl(headers).contains("no-store")
    }

    private static let mostVaryingFields = 32

    /// Whether an answer tells how things are now, so that what was kept before it is outdated. Another refusal than that
    /// there is nothing here says nothing of that.
    static func supersedes(_ response: Response, _ request: Request) -> Bool {
        guard request.method == .get, !response.isFromCache else { return false }
        guard !momentary.contains(response.statusCode) else { return false }
        return (200..<400).contains(response.statusCode) || [404, 410].contains(response.statusCode)
    }

    /// What is said of one request only: a part, that nothing is new, and that the client has to prove its identity.
    private static let momentary: Set<Int> = [206, 304, 401, 407]

    /// The request that asks whether a stored answer is still right.
    static func conditional(_ request: Request, _ stored: StoredResponse) -> Request {
        var request = request
        if let tag = stored.headers.values(of: "ETag").first { request.headers["If-None-Match"] = tag }
        if let date = stored.headers.values(of: "Last-Modified").first { request.headers["If-Modified-Since"] = date }
        return request
    }

    /// The URLs of which the answers may have been changed by a request that is not safe.
    static func invalidated(by request: Request, _ response: Response) -> [String] {
        guard !request.method.isSafe, (200..<400).contains(response.statusCode) else { return [] }
        let others = ["Location", "Content-Location"].compactMap { name in
            response.headers.values(of: name).first.flatMap { URL.following($0, from: request.url) }
        }
        let mine = Origin(request.url)
        return ([request.url] + others.filter { Origin($0) == mine }).map(StoredResponse.key)
    }
}
