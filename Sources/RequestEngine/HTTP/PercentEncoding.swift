/// Percent-encoding (RFC 3986 section 2.1), byte by byte over UTF-8.
///
/// A character of several bytes is escaped whole, since each of its bytes is; nothing is ever split.
public enum PercentEncoding {
    /// Escapes all but the unreserved characters, `/` and `?`, which a query may hold as they are (section 3.4). What
    /// is escaped already is escaped again.
    public static func escape(_ text: String) -> String {
        escape(text, allowing: queryBytes)
    }

    package static func escape(_ text: String, allowing allowed: ByteSet) -> String {
        if text.utf8.allSatisfy(allowed.contains) { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            if allowed.contains(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Escapes what no part of a URL after the host may hold; what is escaped already stays as it is.
    static func mend(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if urlBytes.contains(byte) || byte == UInt8(ascii: "%") && rest.prefix(2).compactMap(hexValue).count == 2 {
                bytes.append(byte)
            } else {
                append(byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Undoes the escapes of a text, or nil where a `%` is not followed by two hexadecimal digits.
    package static func unescape(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var iterator = text.utf8.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(hexValue), let low = iterator.next().flatMap(hexValue) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The unreserved characters (section 2.3), `/` and `?`.
    public static let queryCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?"

    static let queryBytes = ByteSet(queryCharacters)

    /// What may stand in a path, a query or a fragment, and what is between them (section 3).
    private static let urlBytes = ByteSet(queryCharacters + ":@!$&'()*+,;=#")

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 0x0F)])
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
