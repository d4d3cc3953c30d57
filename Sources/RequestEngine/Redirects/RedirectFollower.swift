internal import FoundationEssentials

/// Follows redirects, as far as its handler and a limit allow.
///
/// Only `http` and `https` are followed; a redirect to anything else, or to nowhere, is the answer. `POST` becomes
/// `GET` on 301, 302 and 303, and 307 and 308 send the body again. What is secret (`Authorization`, `Cookie`, the
/// request's credential, what an ``Authenticator`` adds, also of the session's headers) is not sent to another scheme, host
/// or port, nor back again from there, whatever interceptors come after this one. ``Timeouts/total`` is for all legs of the
/// way together.
public struct RedirectFollower: Interceptor {
    public let handler: any RedirectHandler
    public let limit: Int

    /// - Parameters:
    ///   - handler: What decides about each redirect.
    ///   - limit: The most redirects that are followed for one task; more are the error
    ///     ``RequestError/Reason/tooManyRedirects(limit:hops:)``.
    public init(handler: any RedirectHandler = RedirectAnswer.follow, limit: Int = 10) {
        self.handler = handler
        self.limit = limit
    }

    public func respond(
        to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        var exchange = exchange
        var request = exchange.request
        var hops: [URL] = []
        var earlierPhases: [Phase: Duration] = [:]
        while true {
            var response = try await next(leg(exchange, request))
            exchange.noteTime(of: response)
            guard let following = await follow(request, response, hops) else {
                response.redirects = hops + response.redirects
                response.earlierPhases.merge(earlierPhases) { $0 + $1 }
                return response
            }
            earlierPhases.merge(response.metrics.phases) { $0 + $1 }
            hops.append(request.url)
            guard hops.count <= limit else { throw tooMany(hops, response) }
            request = following
        }
    }

    /// One request of the way. The body of an answer that will be followed is set aside.
    private func leg(_ exchange: Exchange, _ request: Request) -> Exchange {
        var leg = exchange
        leg.request = request
        leg.setAside { RedirectRules.proposal(request, $0.statusCode, $0.headers) != nil }
        return leg
    }

    private func follow(_ request: Request, _ response: Response, _ hops: [URL]) async -> Request? {
        guard let proposed = RedirectRules.proposal(request, response.statusCode, response.headers) else { return nil }
        let redirect = Redirect(request: request, response: response, proposed: proposed, hops: hops)
        switch await handler.decide(redirect) {
        case .follow: return proposed
        case .modify(let changed): return request.followed(by: changed)
        case .refuse: return nil
        }
    }

    private func tooMany(_ hops: [URL], _ response: Response) -> RequestError {
        RequestError(
            .tooManyRedirects(limit: limit, hops: hops.map(\.absoluteString)), metrics: response.metrics)
    }
}
