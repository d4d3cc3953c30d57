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
        let content = Self.content(of: line)
        if content.starts(with: Self.prefix) {
            begin(UnsafeRawBufferPointer(rebasing: content[Self.prefix.count...]))
        } else if content.isEmpty {
            isComplete = true
        } else if case .success(let field) = HTTPHeaders.Field.read(content) {
            add(field)
        }
    }

    private static let prefix = Array("HTTP/".utf8)

    /// The line up to the first CR or LF.
    private static func content(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var count = 0
        while count < line.count, line[count] != 0x0D, line[count] != 0x0A { count += 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<count])
    }

    /// Reads what follows `HTTP/` in a status line: the version, the code, and words that mean nothing.
    private mutating func begin(_ rest: UnsafeRawBufferPointer) {
        let version = rest.prefix { $0 != UInt8(ascii: " ") }
        let code = rest[version.endIndex...].drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
        head = ResponseHead(
            statusCode: Int(String(decoding: code, as: UTF8.self)) ?? 0,
            httpVersion: HTTPVersion(rawValue: String(decoding: version, as: UTF8.self)))
        isComplete = false
    }

    private mutating func add(_ field: HTTPHeaders.Field) {
        if isFinal {
            head.trailers.append(field)
        } else {
            head.headers.append(field)
        }
    }
}
