public import FoundationEssentials

/// What is left of a download that did not come to its end, and what it needs to go on.
public struct ResumeData: Hashable, Sendable, Codable {
    public let url: URL
    /// The file with what has come.
    public let partialFile: String
    /// How many bytes have come.
    public let offset: Int64
    /// The `ETag` or `Last-Modified` of what has come; the server sends the rest only of the same (RFC 9110 section 13.1.5).
    public let validator: String

    /// The fields that ask for the rest.
    var headers: HTTPHeaders {
        ["Range": "bytes=\(offset)-", "If-Range": validator]
    }
}

/// Asks for the rest of a download, and for the whole where there is no such rest.
struct Resumption: Interceptor {
    private let resumeData: ResumeData

    init(_ resumeData: ResumeData) {
        self.resumeData = resumeData
    }

    func respond(
        to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        var rest = exchange
        rest.request.headers = exchange.request.headers.merging(resumeData.headers)
        let response = try await next(rest)
        // 416: what there is may be all there is, or be of something that has changed. Either way: from the beginning.
        return response.statusCode == 416 ? try await next(exchange) : response
    }
}

extension ResponseHead {
    /// What `If-Range` can be asked with: a strong entity tag or a date.
    var validator: String? {
        if let tag = headers["ETag"], !tag.hasPrefix("W/") { return tag }
        return headers["Last-Modified"]
    }

    /// The first byte and the total of `Content-Range: bytes 5-9/10` (RFC 9110 section 14.4).
    var contentRange: (first: Int64?, total: Int64?)? {
        guard let value = headers["Content-Range"], value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst("bytes ".count).split(separator: "/")
        guard parts.count == 2 else { return nil }
        return (parts[0].split(separator: "-").first.flatMap { Int64($0) }, Int64(parts[1]))
    }
}
