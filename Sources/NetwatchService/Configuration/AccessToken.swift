package import RequestEngine

/// What a request over TCP has to know. It is never shown.
package struct AccessToken: Hashable, Sendable {
    /// Room for any token, and for the line end of an editor's.
    private static let limit = 4096

    private let bytes: [UInt8]

    /// - Throws: ``AccessTokenError`` where the file cannot be read or holds no token.
    package init(file: String) throws(AccessTokenError) {
        do throws(SecurityError) {
            bytes = try FileContents.firstLine(file, limit: Self.limit)
        } catch {
            throw .unreadable(error)
        }
        guard !bytes.isEmpty, bytes.allSatisfy({ 0x21..<0x7F ~= $0 }) else { throw .empty(path: file) }
    }

    /// What is sent where others ask for it.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a request's `Authorization` carries it (RFC 6750 2.1). How long the answer takes tells nothing of the token.
    func allows(_ authorization: String?) -> Bool {
        let scheme = "bearer "
        guard let field = authorization, field.lowercased().hasPrefix(scheme) else { return false }
        let given = Array(field.utf8.dropFirst(scheme.utf8.count))
        guard given.count == bytes.count else { return false }
        return zip(given, bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Why there is no token.
package enum AccessTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(SecurityError)
    case empty(path: String)

    package var status: ExitStatus {
        switch self {
        case .unreadable: .noInput
        case .empty: .misconfigured
        }
    }

    package var description: String {
        switch self {
        case .unreadable(let error): "the token file \(error); name a file that this user may read"
        case .empty(let path):
            "the token file \(path) has to begin with the token: letters, digits and signs, no blanks"
        }
    }
}
