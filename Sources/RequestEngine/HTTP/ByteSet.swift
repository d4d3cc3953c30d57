/// A set of ASCII characters, one bit each.
package struct ByteSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The ASCII characters of the text; others are passed over.
    package init(_ characters: String) {
        for byte in characters.utf8 where byte < 64 { low |= 1 << UInt64(byte) }
        for byte in characters.utf8 where (64..<128).contains(byte) { high |= 1 << UInt64(byte - 64) }
    }

    package func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<64: low >> UInt64(byte) & 1 == 1
        case ..<128: high >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }
}
