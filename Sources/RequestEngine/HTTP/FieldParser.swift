/// Reads the grammar that `Content-Type` and `Content-Disposition` share (RFC 9110 section 5.6), one piece at a time.
package struct FieldParser {
    private var rest: Substring.UTF8View

    package init(_ text: String) {
        rest = Substring(text).utf8
        skipWhitespace()
    }

    /// Whether all of the text has been read.
    package var isAtEnd: Bool { rest.isEmpty }

    /// Reads one or more token characters and the white space after them.
    package mutating func token() -> String? {
        let token = rest.prefix(while: Token.isTokenCharacter)
        guard !token.isEmpty else { return nil }
        rest.removeFirst(token.count)
        skipWhitespace()
        return String(Substring(token))
    }

    /// Reads the character and the white space after it.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        skipWhitespace()
        return true
    }

    /// Passes over what cannot be read, up to the next of these characters.
    package mutating func drop(until separators: String) {
        rest = rest.drop { !separators.utf8.contains($0) }
    }

    /// Reads a parameter's value: a quoted string or a token.
    package mutating func value() -> String? {
        quotedString() ?? token()
    }

    /// Reads `; name=value` as often as it comes, and passes over empty ones and those without a value, such as `; charset` or
    /// `; charset=`. Stops at what it cannot read.
    mutating func parameters() -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        while skip(";") {
            if let parameter = parameter() { parameters.append(parameter) }
        }
        return parameters
    }

    private mutating func parameter() -> (name: String, value: String)? {
        let start = rest
        guard let name = token() else { return nil }
        guard skip("=") else { return pass(from: start) }
        guard let value = quotedString() ?? bareValue() else { return pass(from: start) }
        return (name.lowercased(), value)
    }

    /// Leaves a parameter out that ends without a value; one that goes on otherwise stays unread.
    private mutating func pass(from start: Substring.UTF8View) -> (name: String, value: String)? {
        if !isAtEnd, rest.first != UInt8(ascii: ";") { rest = start }
        return nil
    }

    /// Reads a value without quotes, in which servers write more than a token may have, such as the URL of a profile.
    private mutating func bareValue() -> String? {
        let value = rest.prefix { Token.isTokenCharacter($0) || Self.bareCharacters.contains($0) }
        guard !value.isEmpty else { return nil }
        rest.removeFirst(value.count)
        skipWhitespace()
        return String(Substring(value))
    }

    private static let bareCharacters = Array("/:=?@[](){}<>".utf8)

    /// Reads a quoted string (section 5.6.4), with its escapes undone.
    private mutating func quotedString() -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        var bytes: [UInt8] = []
        var index = rest.index(after: rest.startIndex)
        while index != rest.endIndex, rest[index] != UInt8(ascii: "\"") {
            if rest[index] == UInt8(ascii: "\\") {
                index = rest.index(after: index)
                guard index != rest.endIndex else { return nil }
            }
            bytes.append(rest[index])
            index = rest.index(after: index)
        }
        guard index != rest.endIndex else { return nil }
        rest = rest[rest.index(after: index)...]
        skipWhitespace()
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func skipWhitespace() {
        rest = rest.drop(while: Token.isWhitespace)
    }

    /// The value as it stands in a field: as it is where it is a token, else quoted.
    static func quoted(_ value: String) -> String {
        Token.isToken(value) ? value : value.inDoubleQuotes
    }
}
