import NetworkAddress

extension String: JSONWritable {
    func write(to json: inout JSONText) {
        // What lies in one piece is not copied, and nearly all does.
        guard utf8.withContiguousStorageIfAvailable({ json.buffer.append(quoted: $0) }) == nil else { return }
        var text = self
        text.withUTF8 { json.buffer.append(quoted: $0) }
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
        var word = word
        word.withUTF8 { buffer.append(plain: $0) }
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
    fileprivate mutating func append(quoted text: UnsafeBufferPointer<UInt8>) {
        guard Self.mayNeedEscapes(text) else { return append(plain: text) }
        append(Self.quote)
        append(escaping: text)
        append(Self.quote)
    }

    /// Appends UTF-8 in which there is nothing to escape as a string.
    fileprivate mutating func append(plain text: UnsafeBufferPointer<UInt8>) {
        append(Self.quote)
        append(text)
        append(Self.quote)
    }

    /// Appends what is written in place, in quotes.
    fileprivate mutating func append(quotedUpTo limit: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        append(Self.quote)
        append(upTo: limit, write)
        append(Self.quote)
    }

    /// Whether a byte among these may be one to escape, eight at a time.
    private static func mayNeedEscapes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        var found: UInt64 = 0
        var offset = 0
        while offset + 8 <= bytes.count {
            found |= Self.suspicion(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        if offset < bytes.count { found |= Self.suspicion(Self.rest(of: bytes, from: offset)) }
        return found & 0x8080_8080_8080_8080 != 0
    }

    /// The last bytes, fewer than eight, filled up with blanks.
    private static func rest(of bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        var rest: UInt64 = 0x2020_2020_2020_2020
        for index in stride(from: bytes.count - 1, through: offset, by: -1) { rest = rest << 8 | UInt64(bytes[index]) }
        return rest
    }

    /// A word with the high bit of each byte set that is less than 0x20, or equal to one of the two. (Of later bytes, too,
    /// after one that is.)
    private static func suspicion(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (quotes, backslashes) = (word ^ ones &* UInt64(quote), word ^ ones &* UInt64(backslash))
        return (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
    }

    /// Appends UTF-8 in runs of what needs no escape.
    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices where Self.isEscaped(text[index]) {
            append(UnsafeBufferPointer(rebasing: text[start..<index]))
            append(escaped: text[index])
            start = index + 1
        }
        append(UnsafeBufferPointer(rebasing: text[start...]))
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
        append(upTo: 20) { digits in
            let count = Self.decimalDigits(value)
            var rest = value
            for place in stride(from: count - 1, through: 0, by: -1) {
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return count
        }
    }

    private static func decimalDigits(_ value: UInt64) -> Int {
        var (count, limit) = (1, 10 as UInt64)
        while count < 20, value >= limit { (count, limit) = (count + 1, limit &* 10) }
        return count
    }
}
