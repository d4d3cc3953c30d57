import HTTPTypes
import Hummingbird

/// What a path answers with, before it is put in the form that the client accepts.
struct HTTPAnswer: Sendable {
    var status: HTTPResponse.Status = .ok
    var type: String
    var bytes: [UInt8]
    /// Whether `Accept` decides which form of it is sent.
    var isNegotiated = false
    var fields = HTTPFields()
    /// The forms of it that were sent already, where it is sent more than once.
    private var forms: AnswerForms?

    /// From this size on compressing pays.
    private static let compressedSize = 1024

    init(status: HTTPResponse.Status = .ok, type: String, bytes: [UInt8], isNegotiated: Bool = false) {
        self.status = status
        self.type = type
        self.bytes = bytes
        self.isNegotiated = isNegotiated
    }

    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> HTTPAnswer {
        HTTPAnswer(status: status, type: "text/plain; charset=utf-8", bytes: Array(text.utf8))
    }

    func response(to request: Request) -> Response {
        var headers = fields
        headers[.contentType] = type
        headers[.cacheControl] = "no-store"
        var body = plain
        if bytes.count > Self.compressedSize {
            headers[.vary] = isNegotiated ? "Accept, Accept-Encoding" : "Accept-Encoding"
            if request.acceptsGzip, let compressed {
                headers[.contentEncoding] = "gzip"
                body = compressed
            }
        } else if isNegotiated {
            headers[.vary] = "Accept"
        }
        headers[.contentLength] = "\(body.readableBytes)"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    /// Has its forms made once, however often it is sent. It must not change any more.
    mutating func keepForms() {
        if bytes.count > Self.compressedSize { forms = AnswerForms(bytes) }
    }

    private var plain: ByteBuffer { forms?.plain ?? ByteBuffer(bytes: bytes) }

    private var compressed: ByteBuffer? {
        forms.map(\.compressed) ?? Gzip.compress(bytes).map { ByteBuffer(bytes: $0) }
    }
}

extension Hummingbird.Request {
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
