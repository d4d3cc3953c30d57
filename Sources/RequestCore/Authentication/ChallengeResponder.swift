public import RequestEngine

/// Asks a handler how to answer a server that wants the client to prove its identity (status 401), and sends the request
/// again.
///
/// A request that carries a credential which is refused counts as a failure, so that a handler can tell the first
/// challenge from a wrong password.
///
/// It sees each leg of a redirect, wherever it stands in the list. A handler's credential goes to the origin whose challenge
/// it answers.
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

    public var stage: InterceptorStage { .challenges }

    public func respond(
        to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        var exchange = exchange
        var failures = exchange.request.credential == nil ? 0 : 1
        while true {
            // What is set aside stays away from a stream, even if it turns out to be the answer.
            if failures < limit { exchange.setAside { $0.statusCode == 401 } }
            let response = try await next(exchange)
            guard response.statusCode == 401, failures < limit, let origin = origin(exchange.request, response),
                let credential = try await credential(exchange.request, origin, response, failures)
            else { return response }
            failures += 1
            exchange.noteTime(of: response)
            Self.prove(&exchange.request, to: origin, with: credential)
        }
    }

    /// The server that challenges, where the handler may be asked about it.
    private func origin(_ request: Request, _ response: Response) -> Origin? {
        guard let origin = Origin(response.url), origin == Origin(request.url) else { return nil }
        return request.hasLeftOrigin && !handler.knowsOrigins ? nil : origin
    }

    private func credential(
        _ request: Request, _ origin: Origin, _ response: Response, _ failures: Int
    ) async throws(RequestError) -> Credential? {
        for offer in AuthenticationChallenge.offers(response.headers).sorted(by: Self.isStronger) {
            let challenge = AuthenticationChallenge(
                scheme: offer.scheme, realm: offer.parameters["realm"], parameters: offer.parameters,
                request: request, origin: origin, previousFailures: failures)
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

    /// Proves the client's identity to an origin. One that a redirect has led to is given what was meant for it.
    private static func prove(_ request: inout Request, to origin: Origin, with credential: Credential) {
        if request.hasLeftOrigin {
            request.secrecy.grant = Secrecy.Grant(origin: origin, credential: credential)
        } else {
            request.credential = credential
        }
        request.headers.remove("Authorization")
        request.withheldHeaders.insert("authorization")
    }

    private static let strength = ["basic": 1, "digest": 2, "bearer": 3, "negotiate": 4]

    private static func isStronger(_ one: AuthenticationChallenge.Offer, _ other: AuthenticationChallenge.Offer) -> Bool
    {
        strength[one.scheme, default: 0] > strength[other.scheme, default: 0]
    }
}
