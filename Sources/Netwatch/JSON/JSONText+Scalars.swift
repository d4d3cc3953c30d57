import NetworkAddress

extension String: JSONWritable {
    func write(to json: inout JSONText) {
        json.buffer.append(quoted: utf8.span)
    }
}

extension Bool: JSONWritable {
    func write(to json: inout JSONText) {
        json.buffer.append(self ? "true" : "false")
    }
}

extension Int: JSONWritable {
    func write(to json: inout JSONText) {
        if self < 0 { json.buffer.append(UInt8(ascii: "-")) }
        json.buffer.append(decimal: UInt64(magnitude))
    }
}

extension Int64: JSONWritable {
    func write(to json: inout JSONText) { Int(self).write(to: &json) }
}

extension UInt8: JSONWritable {
    func write(to json: inout JSONText) { json.buffer.append(decimal: UInt64(self)) }
}

extension UInt32: JSONWritable {
    func write(to json: inout JSONText) { json.buffer.append(decimal: UInt64(self)) }
}

extension UInt64: JSONWritable {
    func write(to json: inout JSONText) { json.buffer.append(decimal: self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    func write(to json: inout JSONText) { json.array(self) }
}

/// A word of a closed list, in which there is nothing to escape.
extension JSONWritable where Self: RawRepresentable<String> {
    func write(to json: inout JSONText) { json.write(word: rawValue) }
}

extension JSONText {
    /// Not a part of each closed list's own code.
    @inline(never)
    fileprivate mutating func write(word: String) {
        buffer.append(plain: word.utf8.span)
    }
}

extension IPAddress: JSONWritable {
    func write(to json: inout JSONText) {
        json.buffer.append(quotedUpTo: Self.longestText, write)
    }
}

extension HardwareAddress: JSONWritable {
    func write(to json: inout JSONText) {
        json.buffer.append(quotedUpTo: longestText, write)
    }
}

extension AddressFamily: JSONWritable {}

extension ByteBuffer {
    /// Appends UTF-8 as a string.
    fileprivate mutating func append(quoted text: Span<UInt8>) {
        append(Self.quote)
        append(escaping: text)
        append(Self.quote)
    }

    /// Appends UTF-8 in which there is nothing to escape as a string.
    fileprivate mutating func append(plain text: Span<UInt8>) {
        append(Self.quote)
        append(text)
        append(Self.quote)
    }

    /// Appends what is written in place, in quotes.
    fileprivate mutating func append(quotedUpTo limit: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        append(Self.quote)
        append(upTo: limit, write)
        append(Self.quote)
    }

    /// Appends UTF-8 in runs of what needs no escape.
    private mutating func append(escaping text: Span<UInt8>) {
        var start = 0
        for index in text.indices where Self.isEscaped(text[index]) {
            append(text.extracting(start..<index))
            append(escaped: text[index])
            start = index + 1
        }
        append(text.extracting(start...))
    }

    private static var quote: UInt8 { UInt8(ascii: "\"") }
    private static var backslash: UInt8 { UInt8(ascii: "\\") }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == quote || byte == backslash
    }

    private mutating func append(escaped byte: UInt8) {
        append(Self.backslash)
        switch byte {
        case Self.quote, Self.backslash: append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append("u00")
            append(Self.digit(byte >> 4))
            append(Self.digit(byte & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    mutating func append(decimal value: UInt64) {
        append(value, digits: Self.decimalDigits(value))
    }

    private static func decimalDigits(_ value: UInt64) -> Int {
        var (count, limit) = (1, 10 as UInt64)
        while count < 20, value >= limit { (count, limit) = (count + 1, limit &* 10) }
        return count
    }
}
