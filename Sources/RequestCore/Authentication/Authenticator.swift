public import RequestEngine

/// Knows how requests carry a token, and how a new token is got.
public protocol Authenticator: Sendable {
    associatedtype Token: Sendable

    /// Puts the token into a request.
    func apply(_ token: Token, to request: inout Request)

    /// Gets a new token with the old one. Called by one at a time.
    ///
    /// What it sends is best sent by a session of its own. Through the session that waits for the token, its requests go out with
    /// the old one, are not held up, and where they are refused fail with
    /// ``RequestError/Reason/unacceptableStatus(_:body:)``.
    func refresh(_ token: Token) async throws -> Token

    /// Whether a token is so near its end that it should be renewed before it is used.
    func needsRefresh(_ token: Token) -> Bool

    /// Whether an answer says that the token was refused.
    func isRefusal(_ head: ResponseHead) -> Bool

    /// Whether a request carries this very token, and not an older one.
    func carries(_ request: Request, _ token: Token) -> Bool
}

extension Authenticator {
    public func needsRefresh(_ token: Token) -> Bool { false }

    public func isRefusal(_ head: ResponseHead) -> Bool { head.statusCode == 401 }

    /// Compares with what ``apply(_:to:)`` makes of the request.
    public func carries(_ request: Request, _ token: Token) -> Bool {
        var applied = request
        apply(token, to: &applied)
        return applied.headers == request.headers && applied.credential == request.credential
            && applied.url == request.url
    }
}
