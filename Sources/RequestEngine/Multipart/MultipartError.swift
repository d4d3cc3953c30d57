public import SystemPackage

/// Why a part of a multipart body cannot be sent.
public enum MultipartError: Error, Hashable, Sendable {
    /// The file cannot be opened, examined or read: what was tried and what the kernel said.
    case file(path: FilePath, call: String, Errno)
    /// The path names something that is not a regular file.
    case notAFile(path: FilePath)
    /// The part gave fewer bytes than its length said; the request would never end.
    case tooShort(part: String, expected: Int64, got: Int64)
    /// The stream of a part failed.
    case stream(part: String, reason: String)
    /// A stream that can be read once was asked for a second time.
    case notReplayable(part: String)
    /// A length below nought.
    case negativeLength(part: String, Int64)
    /// A header of the part may not go on the wire.
    case header(HTTPMessageError)
    /// The boundary is not 1 to 70 of the characters that RFC 2046 section 5.1.1 allows.
    case invalidBoundary(String)
    /// The lengths of the parts add up to more than 2^63 - 1 bytes.
    case tooLong
}

extension MultipartError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .file(let path, let call, let errno):
            "\(call) \(path): \(errno)"
        case .notAFile(let path):
            "\(path) is not a regular file"
        case .tooShort(let part, let expected, let got):
            "the part \(part.debugDescription) ended after \(got) of the \(expected) bytes it was said to have"
        case .stream(let part, let reason):
            "the part \(part.debugDescription) cannot be read: \(reason)"
        case .notReplayable(let part):
            "the part \(part.debugDescription) is a stream that can be read only once, and the request must be repeated"
        case .negativeLength(let part, let length):
            "the part \(part.debugDescription) cannot have \(length) bytes"
        case .header(let error):
            error.description
        case .invalidBoundary(let boundary):
            "\(boundary.debugDescription) is no boundary: 1 to 70 characters of letters, digits and '()+_,-./:=? "
        case .tooLong:
            "the parts are longer than 2^63 bytes together"
        }
    }
}
