internal import EventLoop

/// Why a request could not be authenticated.
public enum AuthenticationError: Error, Hashable, Sendable {
    /// There is no token to put into the request.
    case missingToken
    /// The token could not be renewed: why. The error itself is ``RequestError/underlying``.
    case refreshFailed(String)
    /// Tokens were renewed so often within a time that renewing cannot help.
    case excessiveRefresh(count: Int, within: Duration)
    /// The handler of the challenge gave up.
    case challengeCancelled(scheme: String)
    /// A user name with a colon, which Basic authorization cannot carry: what follows it would be read as the password
    /// (RFC 7617 section 2).
    case colonInUser(String)
}

extension AuthenticationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missingToken:
            "there is no token to authenticate with: set one before sending"
        case .refreshFailed(let explanation):
            "the token could not be renewed: \(explanation)"
        case .excessiveRefresh(let count, let time):
            "the token was renewed \(count) times within \(time.words) and is still refused"
        case .challengeCancelled(let scheme):
            "the server asked for \(scheme) authentication, and it was cancelled"
        case .colonInUser(let user):
            "the user name \(user.debugDescription) has a colon, which Basic authorization cannot carry"
        }
    }
}
