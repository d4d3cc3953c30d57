import RequestEngine

/// A password or a key: the first line of a file, of any bytes but NUL, which would end it for many a program.
///
/// It is sent in base64, or not at all, and so it may be made of more than an ``AccessToken``.
struct SecretLine: Hashable, Sendable {
    enum Purpose: String, Hashable, Sendable {
        case password
        case signatureKey = "signature key"
    }

    /// Room for any password or key, and for the line end of an editor's.
    private static let limit = 4096

    let bytes: [UInt8]

    /// - Throws: ``SecretLineError`` where the file cannot be read or does not begin with such a line.
    init(_ purpose: Purpose, file: String) throws(SecretLineError) {
        do throws(SecurityError) {
            bytes = try FileContents.firstLine(file, limit: Self.limit)
        } catch {
            throw .unreadable(purpose, error)
        }
        guard !bytes.isEmpty, !bytes.contains(0) else { throw .unusable(purpose, path: file) }
    }
}

/// Why there is no password, or no key.
enum SecretLineError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(SecretLine.Purpose, SecurityError)
    case unusable(SecretLine.Purpose, path: String)

    var description: String {
        switch self {
        case .unreadable(let purpose, let error): "the \(purpose.rawValue) file \(error)"
        case .unusable(let purpose, let path):
            "the \(purpose.rawValue) file \(path) has to begin with the \(purpose.rawValue): "
                + "its first line is empty, or has NUL in it"
        }
    }
}
