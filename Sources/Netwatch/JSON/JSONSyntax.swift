/// Finds the place of the first mistake in a text that should be JSON (RFC 8259): decoders say only that there is one.
struct JSONSyntax {
    private let bytes: [UInt8]
    private var position = 0
    /// What is open: `}` or `]` for each.
    private var open: [UInt8] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Line, column and what is wrong there; nil where nothing is.
    static func mistake(in text: String) -> String? {
        var syntax = JSONSyntax(Array(text.utf8))
        return syntax.firstMistake.map { "\($0), in line \(syntax.line), column \(syntax.column)" }
    }

    private var line: Int { 1 + bytes.prefix(position).count { $0 == UInt8(ascii: "\n") } }

    private var column: Int {
        let before = bytes.prefix(position)
        return 1
            + String(decoding: before[(before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...], as: UTF8.self)
            .count
    }

    private var next: UInt8? {
        mutating get {
            while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
            return position < bytes.count ? bytes[position] : nil
        }
    }

    private var firstMistake: String? {
        mutating get {
            guard next != nil else { return "it is empty" }
            repeat {
                if let mistake = beginValue() ?? endValue() { return mistake }
            } while !open.isEmpty
            return next == nil ? nil : "there is more after its end"
        }
    }

    /// After a value: reads the ends of what it was in, up to where another one begins.
    private mutating func endValue() -> String? {
        while let end = open.last {
            guard let byte = next else { return "it ends before the \(Self.quoted(end)) that is missing" }
            guard byte == end || byte == UInt8(ascii: ",") else {
                return "expected , or \(Self.quoted(end)), found \(Self.quoted(byte))"
            }
            position += 1
            guard byte == end else { return end == UInt8(ascii: "}") ? readKey() : nil }
            open.removeLast()
        }
        return nil
    }

    /// Reads a value, or the beginning of one up to its first part.
    private mutating func beginValue() -> String? {
        while let byte = next {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                position += 1
                let end = byte + 2
                if next == end {
                    position += 1
                    return nil
                }
                guard open.count < Self.deepest else { return "it is nested deeper than \(Self.deepest) levels" }
                open.append(end)
                if end == UInt8(ascii: "}"), let mistake = readKey() { return mistake }
            case UInt8(ascii: "\""): return readString()
            default: return readWord()
            }
        }
        return "it ends where a value is missing"
    }

    /// What decoders take at most.
    private static let deepest = 512

    private mutating func readKey() -> String? {
        guard let byte = next else { return "it ends where a key is missing" }
        guard byte == UInt8(ascii: "\"") else { return "expected a key in \"quotes\", found \(Self.quoted(byte))" }
        if let mistake = readString() { return mistake }
        guard next == UInt8(ascii: ":") else { return "expected : after the key" }
        position += 1
        return nil
    }

    private mutating func readString() -> String? {
        let start = position
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return nil
            case ..<0x20: return "a control character stands in a string; write \\n or \\u0000"
            case UInt8(ascii: "\\"):
                guard position + 1 < bytes.count, "\"\\/bfnrtu".utf8.contains(bytes[position + 1]) else {
                    return "\\ is followed by what it cannot escape"
                }
                position += 2
            default: position += 1
            }
        }
        position = start
        return "the string that begins here does not end"
    }

    /// A number, `true`, `false` or `null`.
    private mutating func readWord() -> String? {
        let word = bytes[position...].prefix {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || "+-.0123456789".utf8.contains($0)
        }
        let text = String(decoding: word, as: UTF8.self)
        guard !text.isEmpty else { return "expected a value, found \(Self.quoted(bytes[position]))" }
        let isNumber = Double(text)?.isFinite == true && !text.utf8.contains { "xXpP".utf8.contains($0) }
        guard isNumber || ["true", "false", "null"].contains(text) else {
            return "'\(text.prefix(40))' is no value that can be used; a text needs \"quotes\""
        }
        position += word.count
        return nil
    }

    private static func quoted(_ byte: UInt8) -> String {
        0x20..<0x7F ~= byte ? "\(Character(UnicodeScalar(byte)))" : "the byte \(byte)"
    }
}
