/// Asks a handler how to answer a server that wants to know who asks (status 401), and sends the request again.
///
/// A request that carries a credential which is refused counts as a failure, so that a handler can tell the first
/// challenge from a wrong password.
public struct ChallengeResponder: Interceptor {
    private let handler: any ChallengeHandler
    private let limit: Int

    /// - Parameters:
    ///   - handler: What answers.
    ///   - limit: The most answers to challenges in one task.
    public init(handler: any ChallengeHandler, limit: Int = 5) {
        self.handler = handler
        self.limit = limit
    }

    public func respond(
        to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        var exchange = exchange
        var failures = exchange.request.credential == nil ? 0 : 1
        while true {
            // What is set aside stays away from a stream, even if it turns out to be the answer.
            if failures < limit { exchange.setAside { $0.statusCode == 401 } }
            let response = try await next(exchange)
            guard response.statusCode == 401, failures < limit,
                let credential = try await credential(exchange.request, response, failures)
            else { return response }
            failures += 1
            exchange.request.credential = credential
            exchange.request.headers.remove("Authorization")
            exchange.request.withheldHeaders.insert("authorization")
        }
    }

    private func credential(
        _ request: Request, _ response: Response, _ failures: Int
    ) async throws(RequestError) -> Credential? {
        for offer in AuthenticationChallenge.offers(response.headers).sorted(by: Self.isStronger) {
            let challenge = AuthenticationChallenge(
                scheme: offer.scheme, realm: offer.parameters["realm"], parameters: offer.parameters,
                request: request, previousFailures: failures)
            switch await handler.answer(challenge) {
            case .defaultHandling: return nil
            case .use(let credential): return credential
            case .reject: continue
            case .cancel:
                throw RequestError(
                    .authentication(.challengeCancelled(scheme: offer.scheme)), metrics: response.metrics)
            }
        }
        return nil
    }

    private static let strength = ["basic": 1, "digest": 2, "bearer": 3, "negotiate": 4]

    private static func isStronger(_ one: AuthenticationChallenge.Offer, _ other: AuthenticationChallenge.Offer) -> Bool
    {
        strength[one.scheme, default: 0] > strength[other.scheme, default: 0]
    }
}
