/// Reads the header of an answer as it comes in, line by line.
///
/// Every status line begins anew, so that what remains is the final answer's. A line that is no field is passed over,
/// as browsers do, and one that goes on the field before is joined to it (RFC 9112 section 5.2). What would leave in doubt
/// where the body ends is a flaw, and no part of such an answer is used.
struct HeadReader {
    private(set) var head = ResponseHead(statusCode: 0)
    /// All bytes of header seen, those of informational answers included.
    private(set) var byteCount = 0
    private var isComplete = false
    /// What the fields of `Content-Length` have said so far.
    private var statedLength: Int64?
    /// Whether the latest line was no field: what goes it on is none either.
    private var isPassedOver = false
    /// What is wrong with it; nil where nothing is.
    private(set) var flaw: String?

    /// Whether the final header has come in whole.
    var isFinal: Bool { isComplete && head.statusCode >= 200 }

    mutating func receive(line: UnsafeRawBufferPointer) {
        byteCount += line.count
        let content = Self.content(of: line)
        if content.starts(with: Self.prefix) {
            begin(UnsafeRawBufferPointer(rebasing: content[Self.prefix.count...]))
        } else if content.isEmpty {
            isComplete = true
        } else if content.first.map(Token.isWhitespace) == true {
            fold(content)
        } else {
            read(content)
        }
    }

    private mutating func read(_ line: UnsafeRawBufferPointer) {
        let field = try? HTTPHeaders.Field.read(line).get()
        isPassedOver = field == nil
        if let field { add(field) }
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
        statedLength = nil
        isPassedOver = false
    }

    private mutating func add(_ field: HTTPHeaders.Field) {
        if isFinal {
            head.trailers.append(field)
        } else {
            if field.isNamed("Content-Length") { check(length: field.value) }
            head.headers.append(field)
        }
    }

    /// Joins a line to the field before. libcurl has taken that for whole: where it acts on the field, the answer would mean
    /// one thing to it and another to the caller.
    private mutating func fold(_ line: UnsafeRawBufferPointer) {
        guard !isPassedOver else { return }
        let text = HTTPHeaders.Field.value(line)
        let fields = isFinal ? head.trailers : head.headers
        guard let text, let last = fields.last else { return note("a header line that begins with a blank") }
        guard !Self.actedUpon.contains(where: last.isNamed) else { return note("the header \(last.name) is folded") }
        let joined = HTTPHeaders.Field(name: last.name, value: (last.value + " " + text).trimmed)
        if isFinal { head.trailers.replaceLast(by: joined) } else { head.headers.replaceLast(by: joined) }
    }

    private static let actedUpon = [
        "Content-Length", "Transfer-Encoding", "Content-Encoding", "Connection", "Set-Cookie", "WWW-Authenticate",
    ]

    /// A length is digits alone; several must agree, in one field or in many (RFC 9110 section 8.6).
    private mutating func check(length text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed) {
            guard !part.isEmpty, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int64(part) else {
                return note("the Content-Length \(text.prefix(80).debugDescription) is no length")
            }
            guard statedLength ?? length == length else {
                return note("two lengths are stated, \(statedLength ?? 0) and \(length)")
            }
            statedLength = length
        }
    }

    private mutating func note(_ problem: String) {
        flaw = flaw ?? problem
    }
}
