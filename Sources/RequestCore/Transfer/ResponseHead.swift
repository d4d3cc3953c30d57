/// The header of an answer as it comes in, line by line.
///
/// Every status line begins anew, so that what remains is the final answer's. A line that is no field is passed over,
/// as browsers do.
struct ResponseHead {
    private(set) var statusCode = 0
    private(set) var version: HTTPVersion?
    private(set) var headers = HTTPHeaders()
    /// The fields that came after the body (RFC 9110 section 6.5).
    private(set) var trailers = HTTPHeaders()
    /// All bytes of header seen, those of informational answers included.
    private(set) var byteCount = 0
    private var isComplete = false

    /// Whether the final header has come in whole.
    var isFinal: Bool { isComplete && statusCode >= 200 }

    mutating func receive(line: UnsafeRawBufferPointer) {
        byteCount += line.count
        let content = line.prefix { $0 != 0x0D && $0 != 0x0A }
        if content.starts(with: "HTTP/".utf8) {
            begin(String(decoding: content, as: UTF8.self))
        } else if content.isEmpty {
            isComplete = true
        } else if let field = try? HTTPHeaders.Field(line: content) {
            add(field)
        }
    }

    private mutating func begin(_ statusLine: String) {
        let parts = statusLine.dropFirst("HTTP/".count).split(separator: " ", maxSplits: 2)
        version = parts.first.flatMap { HTTPVersion(rawValue: String($0)) }
        statusCode = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        headers = HTTPHeaders()
        isComplete = false
    }

    private mutating func add(_ field: HTTPHeaders.Field) {
        if isFinal {
            trailers.append(field.name, field.value)
        } else {
            headers.append(field.name, field.value)
        }
    }
}
