extension ImageHeader {
    /// The tags 256 and 257 of the first directory (TIFF 6.0, section 2).
    static func tiff(_ bytes: ImageBytes) -> (Int, Int)? {
        let isLittle = bytes.byte(at: 0) == 0x49
        let half = { isLittle ? bytes.little16(at: $0) : bytes.big16(at: $0) }
        let whole = { isLittle ? bytes.little32(at: $0) : bytes.big32(at: $0) }
        guard let directory = whole(4), let count = half(directory) else { return nil }
        var size: (width: Int?, height: Int?)
        for entry in (0..<count).map({ directory + 2 + 12 * $0 }) {
            guard let tag = half(entry), tag <= 257 else { break }
            let value = half(entry + 2) == 3 ? half(entry + 8) : whole(entry + 8)
            if tag == 256 { size.width = value }
            if tag == 257 { size.height = value }
        }
        return pair(size.width, size.height)
    }

    /// A lossy (`VP8 `), lossless (`VP8L`) or extended (`VP8X`) image (RFC 9649, sections 2.5 to 2.7).
    static func webp(_ bytes: ImageBytes) -> (Int, Int)? {
        switch bytes.big32(at: 12) {
        case 0x5650_3820: lossy(bytes)
        case 0x5650_384C: lossless(bytes)
        case 0x5650_3858: pair(bytes.little24(at: 24).map { $0 + 1 }, bytes.little24(at: 27).map { $0 + 1 })
        default: nil
        }
    }

    private static func lossy(_ bytes: ImageBytes) -> (Int, Int)? {
        guard bytes.little24(at: 23) == 0x2A_019D else { return nil }
        return pair(bytes.little16(at: 26).map { $0 & 0x3FFF }, bytes.little16(at: 28).map { $0 & 0x3FFF })
    }

    private static func lossless(_ bytes: ImageBytes) -> (Int, Int)? {
        guard bytes.byte(at: 20) == 0x2F, let bits = bytes.little32(at: 21) else { return nil }
        return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
}
