/// A step between the caller and the network: it may change the request, answer it itself, or send it more than once.
///
/// Interceptors are called in their order, the session's before the request's, each with the rest of the way as
/// `next`; those of a later ``InterceptorStage`` come after all others, wherever the list has them. They run on the
/// session's loop and must not block it.
public protocol Interceptor: Sendable {
    /// What it has to come after. By default nothing: its place is that in the list.
    var stage: InterceptorStage { get }

    func respond(
        to exchange: Exchange,
        next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response
}

extension Interceptor {
    public var stage: InterceptorStage { .listed }
}
