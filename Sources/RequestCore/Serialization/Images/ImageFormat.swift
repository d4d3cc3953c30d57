/// A kind of image file that is told by its first bytes.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    case png, jpeg, gif, bmp, tiff, ico, webp

    /// The format that the signature tells.
    init?(signature bytes: ImageBytes) {
        switch (bytes.big32(at: 0), bytes.big16(at: 0)) {
        case (0x8950_4E47, _) where bytes.big32(at: 4) == 0x0D0A_1A0A: self = .png
        case (0x4749_4638, _) where [0x3761, 0x3961].contains(bytes.big16(at: 4)): self = .gif
        case (0x4949_2A00, _), (0x4D4D_002A, _): self = .tiff
        case (0x0000_0100, _): self = .ico
        case (0x5249_4646, _) where bytes.big32(at: 8) == 0x5745_4250: self = .webp
        case (_, 0xFFD8): self = .jpeg
        case (_, 0x424D): self = .bmp
        default: return nil
        }
    }
}

/// Why bytes are not taken for an image.
public enum ImageError: Error, Hashable, Sendable {
    /// The first bytes are not those of any format that is known.
    case unknownFormat
    /// The header ends or is wrong before it tells the size.
    case invalidHeader(ImageFormat)
    /// The header tells that there is not one pixel.
    case noPixels(ImageFormat)
}

extension ImageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownFormat:
            "its first bytes are not those of \(ImageFormat.allCases.map(\.rawValue).joined(separator: ", "))"
        case .invalidHeader(let format): "the header of the \(format.rawValue) image is cut off or wrong"
        case .noPixels(let format): "the \(format.rawValue) image has a width or height of 0"
        }
    }
}
