/// What proves the client's identity to a server.
public enum Credential: Hashable, Sendable {
    /// A name and password, sent as they are (RFC 7617): safe only within TLS.
    case basic(user: String, password: String)
    /// A name and password, of which only a digest is sent (RFC 7616).
    case digest(user: String, password: String)
    /// A token (RFC 6750).
    case bearer(token: String)
    /// The Kerberos ticket of this process's user (RFC 4559).
    case negotiate

    /// The scheme's name as challenges write it.
    var scheme: String {
        switch self {
        case .basic: "basic"
        case .digest: "digest"
        case .bearer: "bearer"
        case .negotiate: "negotiate"
        }
    }
}

extension Credential {
    /// By the bytes that are sent: a password in another Unicode form is another one.
    public static func == (one: Credential, other: Credential) -> Bool {
        switch (one, other) {
        case (.basic(let user, let password), .basic(let otherUser, let otherPassword)),
            (.digest(let user, let password), .digest(let otherUser, let otherPassword)):
            user.isSpelled(like: otherUser) && password.isSpelled(like: otherPassword)
        case (.bearer(let token), .bearer(let other)): token.isSpelled(like: other)
        case (.negotiate, .negotiate): true
        default: false
        }
    }
}

extension Credential: CustomStringConvertible {
    /// Without what is secret.
    public var description: String {
        switch self {
        case .basic(let user, _), .digest(let user, _): "\(scheme) \(user)"
        case .bearer, .negotiate: scheme
        }
    }
}
