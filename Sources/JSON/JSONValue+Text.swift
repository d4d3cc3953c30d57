public import FoundationEssentials

/// How a JSON text is written.
public struct JSONWritingOptions: Hashable, Sendable {
    /// Whether `/` is written as `\/`, as Foundation does, so that a text can stand in an HTML script.
    public var escapesSlashes = true
    /// Whether members are ordered by the Unicode scalars of their names, instead of as they are.
    public var sortsNames = false

    public init() {}

    package init(escapesSlashes: Bool) {
        self.escapesSlashes = escapesSlashes
    }
}

extension JSONValue {
    /// Reads a JSON text.
    public init(json: Data, options: JSONReadingOptions = JSONReadingOptions()) throws(JSONSyntaxError) {
        var reader = JSONReader(options.isLenient ? Self.utf8(json) : Array(json), options: options)
        self = try reader.read()
    }

    /// The text in UTF-8; UTF-16 is told by its mark, or by the zero beside its first character.
    private static func utf8(_ json: Data) -> [UInt8] {
        let bytes = Array(json)
        guard bytes.count >= 2, bytes.count.isMultiple(of: 2) else { return bytes }
        let isBig = bytes.starts(with: [0xFE, 0xFF]) || bytes[0] == 0
        let isLittle = bytes.starts(with: [0xFF, 0xFE]) || bytes[1] == 0
        guard isBig || isLittle else { return bytes }
        let units = stride(from: 0, to: bytes.count, by: 2).map { place -> UInt16 in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units.drop { $0 == 0xFEFF }, as: UTF16.self).utf8)
    }

    /// The value as a JSON text. A number that is not finite, which JSON has none of, is written as null.
    public func text(options: JSONWritingOptions = JSONWritingOptions()) -> String {
        var text = ""
        write(to: &text, options)
        return text
    }

    private func write(to text: inout String, _ options: JSONWritingOptions) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value.description
        case .integer(let value): text += value.description
        case .unsigned(let value): text += value.description
        case .number(let value): text += value.isFinite ? value.description : "null"
        case .string(let value): Self.write(value, to: &text, options)
        case .array(let elements): Self.write(elements, to: &text, options)
        case .object(let members): Self.write(members, to: &text, options)
        }
    }

    private static func write(_ elements: [JSONValue], to text: inout String, _ options: JSONWritingOptions) {
        text += "["
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            element.write(to: &text, options)
        }
        text += "]"
    }

    private static func write(_ members: JSONObject, to text: inout String, _ options: JSONWritingOptions) {
        text += "{"
        for (index, member) in ordered(members, options).enumerated() {
            if index > 0 { text += "," }
            write(member.name, to: &text, options)
            text += ":"
            member.value.write(to: &text, options)
        }
        text += "}"
    }

    private static func ordered(_ members: JSONObject, _ options: JSONWritingOptions) -> [JSONObject.Element] {
        options.sortsNames ? members.sorted { $0.name.precedes($1.name) } : Array(members)
    }

    private static func write(_ string: String, to text: inout String, _ options: JSONWritingOptions) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "/" where options.escapesSlashes: text += "\\/"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case ..<" ": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

// MARK: Grammar

extension JSONValue {
    /// What may follow a backslash besides a `u`, and what it stands for (RFC 8259, section 7).
    package static let escapes: [UInt8: String] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    /// Whether a text is a number (section 6) and nothing else.
    package static func isNumber(_ text: some Collection<UInt8>) -> Bool {
        var cursor = JSONCursor(Array(text))
        return (try? cursor.skipNumber()) != nil && cursor.isAtEnd
    }
}
