import NetworkAddress

extension HeaderFields.Field {
    /// Reads a line of a message, without its line break. A value that is not UTF-8 is read as ISO-8859-1, of
    /// which every byte is a character, so that no field of a server is lost.
    public init(line: some Collection<UInt8>) throws(HTTPMessageError) {
        self = try Self.read(Array(line).span).get()
    }

    /// Reads a line where it stands: done for every field of every answer, so its bytes are walked only once or twice.
    static func read(_ line: Span<UInt8>) -> Result<Self, HTTPMessageError> {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line.extracting(..<colon)) else {
            return .failure(.malformedFieldLine(text(line)))
        }
        let name = text(line.extracting(..<colon))
        let value = line.extracting((colon + 1)...)
        guard let text = self.value(value) else { return .failure(.invalidFieldValue(name: name)) }
        return .success(Self(name: name, value: text))
    }

    /// Reads a field's value, or what goes it on; nil where it may not stand in one.
    static func value(_ line: Span<UInt8>) -> String? {
        for index in line.indices where Token.breaksLine(line[index]) { return nil }
        var (start, end) = (0, line.count)
        while start < end, Token.isWhitespace(line[start]) { start += 1 }
        while end > start, Token.isWhitespace(line[end - 1]) { end -= 1 }
        return text(line.extracting(start..<end))
    }

    private static func isToken(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !Token.isTokenCharacter(bytes[index]) { return false }
        return !bytes.isEmpty
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        if let text = try? UTF8Span(validating: bytes) { return String(copying: text) }
        return String(String.UnicodeScalarView([UInt8](bytes).map(Unicode.Scalar.init)))
    }
}
