/// A step between the caller and the network: it may change the request, answer it itself, or send it more than once.
///
/// Interceptors are called in their order, the session's before the request's, each with the rest of the way as
/// `next`; those of a later ``InterceptorStage`` come after all others, wherever the list has them. They run on the
/// session's loop and must not block it.
///
/// ```swift
/// struct RequestNumbers: Interceptor {
///     nonisolated(nonsending) func respond(
///         to exchange: Exchange,
///         next: nonisolated(nonsending) @escaping @Sendable (Exchange) async throws(RequestError) -> Response
///     ) async throws(RequestError) -> Response {
///         var exchange = exchange
///         exchange.request.headers["X-Request-Number"] = "\(exchange.task)"
///         return try await next(exchange)
///     }
/// }
/// ```
///
/// `nonisolated(nonsending)` says that both run where their caller does. In modules with the upcoming feature
/// `NonisolatedNonsendingByDefault` it may be left out.
public protocol Interceptor: Sendable {
    /// What it has to come after. By default nothing: its place is that in the list.
    var stage: InterceptorStage { get }

    nonisolated(nonsending) func respond(
        to exchange: Exchange,
        next: nonisolated(nonsending) @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response
}

extension Interceptor {
    public var stage: InterceptorStage { .listed }
}
