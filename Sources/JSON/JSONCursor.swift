/// A place in a JSON text, and the tokens that are read from it.
struct JSONCursor {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset == bytes.count }

    /// The byte here, or nil at the end.
    var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func advance() { offset += 1 }

    mutating func rewind(to start: Int) { offset = start }

    mutating func skipWhitespace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { advance() }
    }

    /// Passes over the word if it stands here.
    mutating func skip(_ word: String) -> Bool {
        guard bytes[offset...].starts(with: word.utf8) else { return false }
        offset += word.utf8.count
        return true
    }

    /// The bytes from a place up to here.
    func bytes(from start: Int) -> ArraySlice<UInt8> { bytes[start..<offset] }

    /// An error about the byte here.
    func unexpected(_ expectation: String) -> JSONSyntaxError {
        error("\(found), where \(expectation)")
    }

    /// An error at this place.
    func error(_ reason: String) -> JSONSyntaxError {
        let before = bytes[..<offset]
        let line = before.count { $0 == 0x0A } + 1
        let column = offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return JSONSyntaxError(line: line, column: column, reason: reason)
    }

    private var found: String {
        guard let current else { return "the text ends" }
        return (0x21..<0x7F).contains(current)
            ? "found '\(Unicode.Scalar(current))'" : "found byte 0x\(String(current, radix: 16))"
    }
}

// MARK: Numbers

extension JSONCursor {
    /// Reads a number (section 6).
    mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = offset
        let isWhole = try skipNumber()
        return try number(String(decoding: bytes(from: start), as: UTF8.self), isWhole: isWhole)
    }

    /// Passes over a number; tells whether it is one without a fraction and an exponent.
    mutating func skipNumber() throws(JSONSyntaxError) -> Bool {
        let start = offset
        _ = skip("-")
        let isZero = current == UInt8(ascii: "0")
        guard skipDigits() > 0 else { throw unexpected("a value should begin") }
        if isZero, bytes(from: start).count > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
            throw error("a number has a nought before its first digit")
        }
        return try !skipFraction()
    }

    private func number(_ text: String, isWhole: Bool) throws(JSONSyntaxError) -> JSONValue {
        if isWhole, let value = Int64(text) { return value == 0 && text == "-0" ? .number(-0.0) : .integer(value) }
        if isWhole, let value = UInt64(text) { return .unsigned(value) }
        guard let value = Double(text), value.isFinite else {
            throw error("the number \(text.prefix(40)) is too large")
        }
        return .number(value)
    }

    /// Passes over a fraction and an exponent; tells whether there was one.
    private mutating func skipFraction() throws(JSONSyntaxError) -> Bool {
        let start = offset
        if skip("."), skipDigits() == 0 { throw unexpected("a digit should follow the point") }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            if skipDigits() == 0 { throw unexpected("a digit should follow the exponent") }
        }
        return offset > start
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { advance() }
        return offset - start
    }
}
