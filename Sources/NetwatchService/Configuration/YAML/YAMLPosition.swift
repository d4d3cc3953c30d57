/// Finds the byte of a text that a count of its Unicode scalars means, from where it was asked for last.
struct YAMLPosition {
    private let bytes: [UInt8]
    private var scalar = 0
    private var byte = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How far it is from the beginning, in bytes.
    mutating func byte(of wanted: Int) -> Int {
        while scalar < wanted, byte < bytes.count {
            byte += 1
            while byte < bytes.count, Self.isContinuation(bytes[byte]) { byte += 1 }
            scalar += 1
        }
        while scalar > wanted, byte > 0 {
            byte -= 1
            while byte > 0, Self.isContinuation(bytes[byte]) { byte -= 1 }
            scalar -= 1
        }
        return byte
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
