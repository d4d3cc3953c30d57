/// Strings and numbers as JSON (RFC 8259).
enum JSONText {
    static func append(_ text: String, to bytes: inout ByteBuffer) {
        var text = text
        text.withUTF8 { append($0, to: &bytes) }
    }

    /// Appends UTF-8 as a string, in runs of what needs no escape.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBuffer) {
        bytes.append(quote)
        var start = 0
        for index in text.indices where isEscaped(text[index]) {
            bytes.append(UnsafeBufferPointer(rebasing: text[start..<index]))
            appendEscape(of: text[index], to: &bytes)
            start = index + 1
        }
        bytes.append(UnsafeBufferPointer(rebasing: text[start...]))
        bytes.append(quote)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == quote || byte == backslash
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout ByteBuffer) {
        bytes.append(backslash)
        switch byte {
        case quote, backslash: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append("u00" as StaticString)
            bytes.append(digit(byte >> 4))
            bytes.append(digit(byte & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    // MARK: Numbers

    static func append<Integer: FixedWidthInteger>(_ value: Integer, to bytes: inout ByteBuffer) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { digits in
            var rest = value.magnitude
            var start = digits.count
            repeat {
                let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remainder)
                rest = quotient
            } while rest != 0
            bytes.append(UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// The shortest text that reads back as the number, a whole one without a fraction.
    static func append(_ value: some FloatingPoint & CustomStringConvertible, to bytes: inout ByteBuffer) {
        let text = value.description
        bytes.append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    static func append(_ value: Bool, to bytes: inout ByteBuffer) {
        bytes.append(value ? "true" as StaticString : "false")
    }

    static func appendNull(to bytes: inout ByteBuffer) {
        bytes.append("null" as StaticString)
    }
}
