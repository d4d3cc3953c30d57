public import FoundationEssentials

/// What the header of an image tells, without decoding it.
public struct ImageHeader: Hashable, Sendable {
    public let format: ImageFormat
    /// In pixels, at least 1. Of several images in one file (ico), the largest.
    public let width: Int
    /// In pixels, at least 1.
    public let height: Int

    /// Reads the first bytes of an image.
    public init(_ data: Data) throws(ImageError) {
        let bytes = ImageBytes(data)
        guard let format = ImageFormat(signature: bytes) else { throw .unknownFormat }
        guard let (width, height) = Self.size(of: bytes, format) else { throw .invalidHeader(format) }
        guard width > 0, height > 0 else { throw .noPixels(format) }
        self.format = format
        self.width = width
        self.height = height
    }

    private static func size(of bytes: ImageBytes, _ format: ImageFormat) -> (Int, Int)? {
        switch format {
        case .png: png(bytes)
        case .jpeg: jpeg(bytes)
        case .gif: pair(bytes.little16(at: 6), bytes.little16(at: 8))
        case .bmp: bitmap(bytes)
        case .tiff: tiff(bytes)
        case .ico: icon(bytes)
        case .webp: webp(bytes)
        }
    }

    static func pair(_ width: Int?, _ height: Int?) -> (Int, Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }
}

extension ImageHeader {
    /// The first chunk is IHDR (PNG specification, section 11.2.1).
    private static func png(_ bytes: ImageBytes) -> (Int, Int)? {
        guard bytes.big32(at: 8) == 13, bytes.big32(at: 12) == 0x4948_4452 else { return nil }
        return pair(bytes.big32(at: 16), bytes.big32(at: 20))
    }

    /// Goes over segments to the start of a frame (ITU-T T.81, section B.2.2): C0 to CF without C4, C8 and CC.
    private static func jpeg(_ bytes: ImageBytes) -> (Int, Int)? {
        var offset = 2
        while bytes.byte(at: offset) == 0xFF, let marker = bytes.byte(at: offset + 1) {
            switch marker {
            case 0xFF:
                offset += 1
            case 0x01, 0xD0...0xD7:
                offset += 2
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                return pair(bytes.big16(at: offset + 7), bytes.big16(at: offset + 5))
            default:
                guard marker < 0xD8 || marker > 0xDA, let length = bytes.big16(at: offset + 2), length >= 2 else {
                    return nil
                }
                offset += 2 + length
            }
        }
        return nil
    }

    /// A height below nought means that rows go from the top.
    private static func bitmap(_ bytes: ImageBytes) -> (Int, Int)? {
        guard let size = bytes.little32(at: 14), size >= 12 else { return nil }
        if size == 12 { return pair(bytes.little16(at: 18), bytes.little16(at: 20)) }
        guard let (width, height) = pair(bytes.little32(at: 18), bytes.little32(at: 22)) else { return nil }
        return (max(0, signed(width)), abs(signed(height)))
    }

    private static func signed(_ number: Int) -> Int {
        Int(Int32(truncatingIfNeeded: number))
    }

    /// A byte of 0 means 256.
    private static func icon(_ bytes: ImageBytes) -> (Int, Int)? {
        guard let count = bytes.little16(at: 4), count > 0 else { return nil }
        var largest = (0, 0)
        for index in 0..<min(count, 256) {
            guard let width = bytes.byte(at: 6 + 16 * index), let height = bytes.byte(at: 7 + 16 * index) else {
                return nil
            }
            let size = (width == 0 ? 256 : width, height == 0 ? 256 : height)
            if size.0 * size.1 > largest.0 * largest.1 { largest = size }
        }
        return largest
    }
}
