import JSON

/// Reads a configuration document (RFC 8259) with the place of everything in it, and refuses what decoders pass over in
/// silence: a key that stands twice.
package struct DocumentParser {
    private let bytes: [UInt8]
    private var position = 0
    /// What is open, from the outside in: the key or the index of what is read in it.
    private var path: [String] = []

    /// What is wrong where the parser stands.
    private struct Mistake: Error {
        let reason: String
        /// The key that stands twice, and where it stands first.
        var duplicate: (path: String, first: Int)? = nil

        init(_ reason: String) { self.reason = reason }
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Throws: ``ConfigurationError`` with line and column of the first mistake.
    package static func parse(_ text: String) throws(ConfigurationError) -> DocumentNode {
        var parser = DocumentParser(Array(text.utf8))
        do throws(Mistake) {
            return try parser.document()
        } catch {
            let place = ConfigurationError.Place(parser.position, in: text)
            guard let duplicate = error.duplicate else { throw .unreadable(error.reason, place: place) }
            throw .duplicateKey(duplicate.path, first: .init(duplicate.first, in: text), second: place)
        }
    }

    private mutating func document() throws(Mistake) -> DocumentNode {
        guard next != nil else { throw Mistake("it is empty") }
        let root = try value()
        guard next == nil else { throw Mistake("there is more after its end") }
        return root
    }

    /// The next byte that is no blank.
    private var next: UInt8? {
        mutating get {
            while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
            return position < bytes.count ? bytes[position] : nil
        }
    }

    private mutating func value() throws(Mistake) -> DocumentNode {
        guard let byte = next else { throw Mistake("it ends where a value is missing") }
        let start = position
        let value: DocumentNode.Value =
            switch byte {
            case UInt8(ascii: "{"): .object(try members())
            case UInt8(ascii: "["): .list(try elements())
            case UInt8(ascii: "\""): .string(try string())
            default: try word()
            }
        return DocumentNode(value: value, offset: start)
    }

    // MARK: Lists and objects

    /// Far more than a document has, and little of a stack.
    private static let deepest = 128

    private mutating func elements() throws(Mistake) -> [DocumentNode] {
        var elements: [DocumentNode] = []
        try parts(until: UInt8(ascii: "]")) { (parser) throws(Mistake) in
            elements.append(try parser.within("[\(elements.count)]") { (parser) throws(Mistake) in try parser.value() })
        }
        return elements
    }

    private mutating func members() throws(Mistake) -> [DocumentNode.Member] {
        var members: [DocumentNode.Member] = []
        var places: [String: Int] = [:]
        try parts(until: UInt8(ascii: "}")) { (parser) throws(Mistake) in
            let (key, offset) = try parser.key(besides: places)
            places[key] = offset
            let value = try parser.within(parser.path.isEmpty ? key : "." + key) { (parser) throws(Mistake) in
                try parser.value()
            }
            members.append(DocumentNode.Member(key: key, offset: offset, value: value))
        }
        return members
    }

    private mutating func within(
        _ step: String, _ read: (inout DocumentParser) throws(Mistake) -> DocumentNode
    ) throws(Mistake) -> DocumentNode {
        guard path.count < Self.deepest else { throw Mistake("it is nested deeper than \(Self.deepest) levels") }
        path.append(step)
        defer { path.removeLast() }
        return try read(&self)
    }

    /// Reads what stands between brackets with commas between.
    private mutating func parts(
        until end: UInt8, _ part: (inout DocumentParser) throws(Mistake) -> Void
    ) throws(Mistake) {
        position += 1
        guard next != end else {
            position += 1
            return
        }
        while true {
            try part(&self)
            guard let byte = next else { throw Mistake("it ends before the \(Self.quoted(end)) that is missing") }
            guard byte == end || byte == UInt8(ascii: ",") else {
                throw Mistake("expected , or \(Self.quoted(end)), found \(Self.quoted(byte))")
            }
            position += 1
            if byte == end { return }
        }
    }

    private mutating func key(besides known: [String: Int]) throws(Mistake) -> (String, Int) {
        guard let byte = next else { throw Mistake("it ends where a key is missing") }
        guard byte == UInt8(ascii: "\"") else {
            throw Mistake("expected a key in \"quotes\", found \(Self.quoted(byte))")
        }
        let start = position
        let key = try string()
        if let first = known[key] {
            position = start
            var mistake = Mistake("the key stands twice")
            mistake.duplicate = (path.joined() + (path.isEmpty ? key : "." + key), first)
            throw mistake
        }
        guard next == UInt8(ascii: ":") else { throw Mistake("expected : after the key") }
        position += 1
        return (key, start)
    }

    // MARK: Strings

    private mutating func string() throws(Mistake) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case ..<0x20: throw Mistake("a control character stands in a string; write \\n or \\u0000")
            case UInt8(ascii: "\\"): text += try escape().utf8
            default:
                text.append(bytes[position])
                position += 1
            }
        }
        position = start
        throw Mistake("the string that begins here does not end")
    }

    private mutating func escape() throws(Mistake) -> String {
        guard position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: "u") else { return try codePoint() }
        guard let character = JSONValue.escapes[bytes[position + 1]] else {
            throw Mistake("\\ is followed by what it cannot escape")
        }
        position += 2
        return character
    }

    /// Reads `\u0041`, or two of them that are the halves of one character (section 7).
    private mutating func codePoint() throws(Mistake) -> String {
        guard let first = unit(at: position) else { throw Mistake("\\ is followed by what it cannot escape") }
        if let scalar = Unicode.Scalar(first) {
            position += 6
            return String(scalar)
        }
        guard UTF16.isLeadSurrogate(first), let second = unit(at: position + 6), UTF16.isTrailSurrogate(second) else {
            throw Mistake("half of a character stands alone")
        }
        position += 12
        return String(decoding: [first, second], as: UTF16.self)
    }

    /// The UTF-16 code unit that is written at a place; nil where none is.
    private func unit(at place: Int) -> UInt16? {
        guard place + 6 <= bytes.count, bytes[place..<place + 2].elementsEqual("\\u".utf8) else { return nil }
        let digits = bytes[place + 2..<place + 6]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    // MARK: Words

    /// A number, `true`, `false` or `null`.
    private mutating func word() throws(Mistake) -> DocumentNode.Value {
        let word = bytes[position...].prefix {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || "+-.0123456789".utf8.contains($0)
        }
        guard !word.isEmpty else { throw Mistake("expected a value, found \(Self.quoted(bytes[position]))") }
        let text = String(decoding: word, as: UTF8.self)
        guard let value = Self.words[text] ?? (JSONValue.isNumber(word) ? .number(text) : nil) else {
            throw Mistake("'\(text.prefix(40))' is no value that can be used; a text needs \"quotes\"")
        }
        position += word.count
        return value
    }

    private static let words: [String: DocumentNode.Value] = [
        "true": .flag(true), "false": .flag(false), "null": .null,
    ]

    private static func quoted(_ byte: UInt8) -> String {
        0x20..<0x7F ~= byte ? "\(Character(UnicodeScalar(byte)))" : "the byte \(byte)"
    }
}
