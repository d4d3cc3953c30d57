/// The lexical rules that the parts of an HTTP message share (RFC 9110 section 5.6).
package enum Token {
    /// Whether the text is one or more token characters (section 5.6.2).
    package static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter)
    }

    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        let bits = byte < 0x40 ? tokenCharacters.low : tokenCharacters.high
        return byte < 0x80 && bits >> UInt64(byte & 63) & 1 == 1
    }

    /// Whether the byte is white space inside a line (section 5.6.3).
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// Whether the byte can end or hide a line: CR, LF and NUL (section 5.5).
    package static func breaksLine(_ byte: UInt8) -> Bool {
        byte == 0x0D || byte == 0x0A || byte == 0
    }

    /// One bit for each of the 128 characters of ASCII, letters, digits and ``!#$%&'*+-.^_`|~``: asked for every byte of
    /// every field name, so that it is a constant and not made at first use.
    private static var tokenCharacters: (low: UInt64, high: UInt64) { (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE) }
}

extension StringProtocol {
    /// The text without white space at either end.
    package var trimmed: String {
        let bytes = Substring(self).utf8.drop(while: Token.isWhitespace)
        let end = bytes.lastIndex { !Token.isWhitespace($0) }.map(bytes.index(after:)) ?? bytes.startIndex
        return String(Substring(bytes[..<end]))
    }
}

extension String {
    /// Compares as field names are compared: ASCII letters without regard to case.
    package func equalsIgnoringCase(_ other: String) -> Bool {
        let (own, theirs) = (utf8, other.utf8)
        // Mostly the lengths differ, which is known without a look at the bytes.
        guard own.count == theirs.count else { return false }
        let bytes = own.span
        let others = theirs.span
        return bytes.indices.allSatisfy { bytes[$0].lowercasedASCII == others[$0].lowercasedASCII }
    }
}

extension UInt8 {
    /// The byte, an ASCII capital turned into its small letter.
    var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
