extension JSONCursor {
    /// Reads a string (section 7), the cursor standing on its opening quote.
    mutating func string(replacesLoneSurrogates: Bool) throws(JSONSyntaxError) -> String {
        advance()
        var text: [UInt8] = []
        while true {
            let start = offset
            try skipPlain()
            if current == UInt8(ascii: "\""), text.isEmpty {
                defer { advance() }
                return try decode(bytes(from: start))
            }
            text.append(contentsOf: bytes(from: start))
            if current == UInt8(ascii: "\"") { break }
            advance()
            try text.append(contentsOf: escape(replacesLoneSurrogates: replacesLoneSurrogates).utf8)
        }
        defer { advance() }
        return try decode(text[...])
    }

    private func decode(_ text: ArraySlice<UInt8>) throws(JSONSyntaxError) -> String {
        guard let string = String(validating: text, as: UTF8.self) else { throw error("the string is not UTF-8") }
        guard !Self.pilesMarks(string) else { throw error("more than \(Self.mostMarks) marks stand on one letter") }
        return string
    }

    /// How many marks may follow each other. To compare or hash a text sorts those of each letter, in the square of
    /// their number. UAX #15 (section 13) asks for 30.
    private static let mostMarks = 1000

    private static func pilesMarks(_ text: String) -> Bool {
        // The first mark of all, U+0300, begins with the byte 0xCC.
        guard text.utf8.count > mostMarks, text.utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > mostMarks { return true }
        }
        return false
    }

    /// By the category and not by the combining class: some that have none consist of marks that have one, as U+0F73.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Passes over characters that stand for themselves, up to a quote or backslash.
    private mutating func skipPlain() throws(JSONSyntaxError) {
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw unexpected("a control character should be escaped") }
            advance()
        }
        guard !isAtEnd else { throw unexpected("a quote should end the string") }
    }

    /// Reads what follows a backslash.
    private mutating func escape(replacesLoneSurrogates: Bool) throws(JSONSyntaxError) -> String {
        guard let byte = current else { throw unexpected("an escape should follow") }
        guard byte != UInt8(ascii: "u") else {
            return try unicodeEscape(replacesLoneSurrogates: replacesLoneSurrogates)
        }
        guard let character = JSONValue.escapes[byte] else { throw unexpected("one of \"\\/bfnrtu should follow") }
        advance()
        return character
    }

    private mutating func unicodeEscape(replacesLoneSurrogates: Bool) throws(JSONSyntaxError) -> String {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return String(scalar) }
        let start = offset
        if UTF16.isLeadSurrogate(first), skip("\\"), current == UInt8(ascii: "u") {
            let second = try hexadecimal()
            if UTF16.isTrailSurrogate(second) { return String(decoding: [first, second], as: UTF16.self) }
        }
        guard replacesLoneSurrogates else { throw error("half of a surrogate pair stands alone") }
        rewind(to: start)
        return "\u{FFFD}"
    }

    /// Reads a `u` and the four hexadecimal digits of a UTF-16 code unit after it.
    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
        advance()
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected("four hexadecimal digits should follow")
            }
            value = value << 4 | UInt16(digit)
            advance()
        }
        return value
    }
}
