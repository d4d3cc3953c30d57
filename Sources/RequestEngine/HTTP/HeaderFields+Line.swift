extension HeaderFields.Field {
    /// Reads a line of a message, without its line break. A value that is not UTF-8 is read as ISO-8859-1, of
    /// which every byte is a character, so that no field of a server is lost.
    public init(line: some Collection<UInt8>) throws(HTTPMessageError) {
        self = try Array(line).withUnsafeBytes { bytes in Self.read(bytes) }.get()
    }

    /// Reads a line where it stands: done for every field of every answer, so its bytes are walked only once or twice.
    static func read(_ line: UnsafeRawBufferPointer) -> Result<Self, HTTPMessageError> {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            isToken(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        else { return .failure(.malformedFieldLine(text(line))) }
        let name = text(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        let value = trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        for byte in value where Token.breaksLine(byte) { return .failure(.invalidFieldValue(name: name)) }
        return .success(Self(name: name, value: text(value)))
    }

    /// Reads what goes on a field's value; nil where it may not stand in one.
    static func value(_ line: UnsafeRawBufferPointer) -> String? {
        for byte in line where Token.breaksLine(byte) { return nil }
        return text(trimmed(line))
    }

    private static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes where !Token.isTokenCharacter(byte) { return false }
        return !bytes.isEmpty
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var (start, end) = (0, bytes.count)
        while start < end, Token.isWhitespace(bytes[start]) { start += 1 }
        while end > start, Token.isWhitespace(bytes[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        // Nearly always ASCII, which needs no validation: that walks any other sequence byte by byte.
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
    }
}
