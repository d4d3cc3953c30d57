import HTTPTypes
import Hummingbird

/// Counts requests by the route that answered, never by what a caller wrote: the number of series stays bounded.
struct RequestCounter: RouterMiddleware {
    func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            Self.count(context.endpointPath ?? "none", response.status)
            return response
        } catch let error as any HTTPResponseError {
            Self.count(context.endpointPath ?? "none", error.status)
            throw error
        }
    }

    /// - Parameter route: One of a few that the program knows.
    static func count(_ route: String, _ status: HTTPResponse.Status) {
        let labels: [MetricFamily.Label] = [.init("route", route), .init("code", "\(status.code)")]
        Counter("netwatch_http_requests_total", labels).increment()
    }
}
