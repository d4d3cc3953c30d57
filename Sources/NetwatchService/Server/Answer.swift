#if Service
import HTTPTypes
import Hummingbird

/// What a path answers with, before it is put in the form that the client accepts.
struct Answer: Sendable {
    var status: HTTPResponse.Status = .ok
    var type: String
    var bytes: [UInt8]
    /// Whether `Accept` decides which form of it is sent.
    var isNegotiated = false
    var fields = HTTPFields()

    /// From this size on compressing pays.
    private static let compressedSize = 1024

    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Answer {
        Answer(status: status, type: "text/plain; charset=utf-8", bytes: Array(text.utf8))
    }

    func response(to request: Request) -> Response {
        var headers = fields
        headers[.contentType] = type
        headers[.cacheControl] = "no-store"
        var body = bytes
        if bytes.count > Self.compressedSize {
            headers[.vary] = isNegotiated ? "Accept, Accept-Encoding" : "Accept-Encoding"
            if request.acceptsGzip, let compressed = Gzip.compress(bytes) {
                headers[.contentEncoding] = "gzip"
                body = compressed
            }
        } else if isNegotiated {
            headers[.vary] = "Accept"
        }
        headers[.contentLength] = "\(body.count)"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension Request {
    /// Whether gzip is wanted, and no less than the plain form.
    fileprivate var acceptsGzip: Bool {
        let codings = PreferenceList(headers[.acceptEncoding])
        let gzip = codings.weight(of: "gzip", wildcards: ["x-gzip", "*"]) ?? 0
        return gzip > 0 && gzip >= (codings.weight(of: "identity", wildcards: []) ?? 0)
    }
}

extension HTTPFields {
    /// What a browser may do with any answer: nothing but show it. No other origin may read it, for there is no CORS field.
    static let guarding: HTTPFields = {
        var fields = HTTPFields()
        if let options = HTTPField.Name("X-Content-Type-Options") { fields[options] = "nosniff" }
        if let policy = HTTPField.Name("Content-Security-Policy") {
            fields[policy] =
                "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        }
        return fields
    }()
}
#endif
