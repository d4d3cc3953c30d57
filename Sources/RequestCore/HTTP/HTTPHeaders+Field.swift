extension HTTPHeaders {
    /// One field of a header (RFC 9110 section 5).
    public struct Field: Sendable {
        /// The name in the spelling it was given.
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Reads a line of a message, without its line break. A value that is not UTF-8 is read as ISO-8859-1, of
        /// which every byte is a character, so that no field of a server is lost.
        public init(line: some BidirectionalCollection<UInt8>) throws(HTTPMessageError) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw .malformedFieldLine(Self.text(line))
            }
            name = Self.text(line[..<colon])
            value = Self.text(line[line.index(after: colon)...]).trimmed
            guard Token.isToken(name) else { throw .malformedFieldLine(Self.text(line)) }
            guard !value.utf8.contains(where: Token.breaksLine) else { throw .invalidFieldValue(name: name) }
        }

        /// Whether the field has this name, in whatever case.
        public func isNamed(_ name: String) -> Bool {
            self.name.equalsIgnoringCase(name)
        }

        /// Checks that the field may go on the wire: a token for a name, and no line break or NUL in the value.
        public func validate() throws(HTTPMessageError) {
            guard Token.isToken(name) else { throw .invalidFieldName(name) }
            guard !value.utf8.contains(where: Token.breaksLine) else { throw .invalidFieldValue(name: name) }
        }

        private static func text(_ bytes: some Collection<UInt8>) -> String {
            String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
        }
    }
}

extension HTTPHeaders.Field: Hashable {
    public static func == (one: Self, other: Self) -> Bool {
        one.value == other.value && one.isNamed(other.name)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte.lowercasedASCII) }
        hasher.combine(value)
    }
}

extension HTTPHeaders.Field: CustomStringConvertible {
    public var description: String { "\(name): \(value)" }
}
