import NetworkAddress

/// Reads the header of an answer as it comes in, line by line.
///
/// Every status line begins anew, so that what remains is the final answer's; one where no header may begin is none. A line
/// that is no field is passed over, as browsers do, and one that goes on the field before is joined to it (RFC 9112
/// section 5.2). What would leave in doubt where the body ends is a flaw, and no part of such an answer is used.
struct HeadReader {
    private(set) var head = ResponseHead(statusCode: 0)
    /// All bytes of header seen, those of informational answers included.
    private(set) var byteCount = 0
    private var isComplete = false
    /// Whether a header begins with the next line, for certain.
    private var isBetween = true
    /// What libcurl had sent of its requests when the latest line came.
    private var requestSize = 0
    /// The names of the cookies that were set: by informational answers and challenges, too, as libcurl takes them.
    private(set) var namesOfCookies: Set<String> = []
    /// What the fields of `Content-Length` have said so far.
    private(set) var statedLength: Int64?
    /// Whether the latest line was no field: what goes it on is none either.
    private var isPassedOver = false
    /// How many lines have gone on the latest field.
    private var foldCount = 0
    /// What is wrong with it; nil where nothing is.
    private var flaw: String?
    private let limit: Int

    /// What a line has led to.
    enum Progress {
        case open
        /// The header of an answer with this code, no informational one, has come in whole.
        case whole(statusCode: Int)
        case refused(RequestError.Reason)
    }

    /// - Parameter limit: The most bytes of header.
    init(limit: Int) {
        self.limit = limit
    }

    /// - Parameter requestSize: How many bytes of requests libcurl has sent so far, of all that it has made of this one.
    mutating func receive(line: Span<UInt8>, requestSize: Int) -> Progress {
        byteCount += line.count
        guard byteCount <= limit else { return .refused(.headerTooLarge(limit: limit)) }
        // libcurl may send another request itself, and then the next header may begin behind whichever.
        let isFirst = isBetween || requestSize != self.requestSize
        self.requestSize = requestSize
        isBetween = false
        read(line: line, isFirst: isFirst)
        if let flaw { return .refused(.malformedResponse(flaw)) }
        return isFinal ? .whole(statusCode: head.statusCode) : .open
    }

    /// Whether the last header has begun and not ended. libcurl (7.88) takes that for a whole answer.
    var isCutOff: Bool { head.statusCode != 0 && !isComplete }

    /// Whether the final header has come in whole.
    private var isFinal: Bool { isComplete && head.statusCode >= 200 }

    /// Whether the same request is answered by another header. Behind 101 comes another protocol.
    private var isFollowed: Bool { (100..<200).contains(head.statusCode) && head.statusCode != 101 }

    /// - Parameter isFirst: Whether a header may begin here. Nowhere else is a line a status line, so that a field or a trailer
    ///   that looks like one does not take the place of the status.
    private mutating func read(line: Span<UInt8>, isFirst: Bool) {
        let content = line.extracting(first: Self.contentLength(of: line))
        if isFirst, content.starts(with: Self.prefix) {
            begin(content.extracting(droppingFirst: Self.prefix.count))
        } else if content.isEmpty {
            // libcurl takes some first lines for good that are none.
            if head.statusCode == 0 { note("its first line names no status") }
            isComplete = true
            isBetween = isFollowed
        } else if Token.isWhitespace(content[0]) {
            fold(content)
        } else {
            read(field: content)
        }
    }

    private mutating func read(field line: Span<UInt8>) {
        let field = try? HeaderFields.Field.read(line).get()
        isPassedOver = field == nil
        foldCount = 0
        if let field { add(field) } else { check(passedOver: line) }
    }

    /// Some take a name with a blank before the colon for that of a field (RFC 9112 section 5.1).
    private mutating func check(passedOver line: Span<UInt8>) {
        checkForCarriageReturn(line)
        guard !isFinal, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: line.extracting(first: colon)).trimmed
        guard Self.framing.contains(where: name.equalsIgnoringCase) else { return }
        note("the header \(name) cannot be read")
    }

    private static let framing = ["Content-Length", "Transfer-Encoding"]

    /// Some take it for the end of a line, others for a blank (RFC 9112 section 2.2). None is in a line that is a field.
    private mutating func checkForCarriageReturn(_ line: Span<UInt8>) {
        if line.firstIndex(of: 0x0D) != nil { note("a header line has a carriage return in its middle") }
    }

    private static let prefix = Array("HTTP/".utf8)

    /// How long the line is without its end.
    private static func contentLength(of line: Span<UInt8>) -> Int {
        var count = line.count
        while count > 0, line[count - 1] == 0x0D || line[count - 1] == 0x0A { count -= 1 }
        return count
    }

    /// Reads what follows `HTTP/` in a status line: the version, the code, and words that mean nothing.
    private mutating func begin(_ rest: Span<UInt8>) {
        let blank = UInt8(ascii: " ")
        let version = rest.extracting(first: rest.firstIndex(of: blank) ?? rest.count)
        var code = rest.extracting(droppingFirst: version.count)
        while !code.isEmpty, code[0] == blank { code = code.extracting(droppingFirst: 1) }
        code = code.extracting(first: code.firstIndex(of: blank) ?? code.count)
        head = ResponseHead(statusCode: Self.number(code) ?? 0, httpVersion: Self.version(version))
        isComplete = false
        statedLength = nil
        isPassedOver = false
    }

    private static func version(_ text: Span<UInt8>) -> ProtocolVersion? {
        // Nearly every answer's, known without a text being made of it.
        if text.count == commonVersion.count, text.starts(with: commonVersion) { return .http1_1 }
        return ProtocolVersion(rawValue: String(decoding: text))
    }

    private static let commonVersion = Array("1.1".utf8)

    /// Digits and nothing else; nil for a number that is too large, too.
    private static func number<Number: FixedWidthInteger>(_ text: Span<UInt8>) -> Number? {
        guard !text.isEmpty else { return nil }
        var number: Number = 0
        for index in text.indices {
            let byte = text[index]
            guard (0x30...0x39).contains(byte) else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (next, isTooLargeNow) = tens.addingReportingOverflow(Number(byte - 0x30))
            guard !isTooLarge, !isTooLargeNow else { return nil }
            number = next
        }
        return number
    }

    private mutating func add(_ field: HeaderFields.Field) {
        if isFinal {
            head.trailers.append(field)
        } else {
            if field.isNamed("Content-Length") { check(length: field.value) }
            if field.isNamed("Set-Cookie") { namesOfCookies.formUnion(CookieLine.names(in: field.value)) }
            head.headers.append(field)
        }
    }

    /// Joins a line to the field before. libcurl has taken that for whole: where it acts on the field, the answer would mean
    /// one thing to it and another to the caller.
    private mutating func fold(_ line: Span<UInt8>) {
        checkForCarriageReturn(line)
        guard !isPassedOver else { return }
        let text = HeaderFields.Field.value(line)
        guard let text, let last = isFinal ? head.trailers.last : head.headers.last else {
            return note("a header line that begins with a blank")
        }
        guard !Self.actedUpon.contains(where: last.isNamed) else { return note("the header \(last.name) is folded") }
        // Each makes the whole value anew, so that without a limit a long header would take the square of its length.
        foldCount += 1
        guard foldCount <= Self.mostFolds else {
            return note("a header is folded into more than \(Self.mostFolds) lines")
        }
        let joined = HeaderFields.Field(name: last.name, value: (last.value + " " + text).trimmed)
        if isFinal { head.trailers.replaceLast(by: joined) } else { head.headers.replaceLast(by: joined) }
    }

    private static let mostFolds = 64

    private static let actedUpon = [
        "Content-Length", "Transfer-Encoding", "Content-Encoding", "Connection", "Set-Cookie", "WWW-Authenticate",
    ]

    /// A length is digits alone; several must agree, in one field or in many (RFC 9110 section 8.6).
    private mutating func check(length text: String) {
        if let length: Int64 = Self.number(text.utf8.span) { return agree(on: length) }
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed) {
            guard let length: Int64 = Self.number(part.utf8.span) else {
                return note("the Content-Length \(text.prefix(80).debugDescription) is no length")
            }
            agree(on: length)
        }
    }

    private mutating func agree(on length: Int64) {
        guard statedLength ?? length == length else {
            return note("two lengths are stated, \(statedLength ?? 0) and \(length)")
        }
        statedLength = length
    }

    private mutating func note(_ problem: String) {
        flaw = flaw ?? problem
    }
}
