/// Reads the header of an answer as it comes in, line by line.
///
/// Every status line begins anew, so that what remains is the final answer's. A line that is no field is passed over,
/// as browsers do.
struct HeadReader {
    private(set) var head = ResponseHead(statusCode: 0)
    /// All bytes of header seen, those of informational answers included.
    private(set) var byteCount = 0
    private var isComplete = false

    /// Whether the final header has come in whole.
    var isFinal: Bool { isComplete && head.statusCode >= 200 }

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
        head = ResponseHead(
            statusCode: parts.count > 1 ? Int(parts[1]) ?? 0 : 0,
            httpVersion: parts.first.flatMap { HTTPVersion(rawValue: String($0)) })
        isComplete = false
    }

    private mutating func add(_ field: HTTPHeaders.Field) {
        if isFinal {
            head.trailers.append(field.name, field.value)
        } else {
            head.headers.append(field.name, field.value)
        }
    }
}
