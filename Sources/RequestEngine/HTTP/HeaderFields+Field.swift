extension HeaderFields {
    /// One field of a header (RFC 9110 section 5).
    public struct Field: Sendable {
        /// The name in the spelling it was given.
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
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
    }
}

extension HeaderFields.Field: Hashable {
    public static func == (one: Self, other: Self) -> Bool {
        one.value.isSpelled(like: other.value) && one.isNamed(other.name)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte.lowercasedASCII) }
        hasher.combine(value)
    }
}

extension HeaderFields.Field: CustomStringConvertible {
    public var description: String { "\(name): \(value)" }
}
