import RequestEngine

/// Changes a request before it is sent: puts a token or a trace identifier into it, or refuses it by an error.
public protocol RequestAdapter: Sendable {
    /// Gives the request to send. Called once for each attempt, always with the request as it was asked for.
    func adapt(_ request: Request) async throws(RequestError) -> Request
}
