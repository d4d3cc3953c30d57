#if Service
import HTTPTypes
import Hummingbird
import Metrics

/// Counts requests by the route that answered, never by what a caller wrote: the number of series stays bounded.
struct RequestCounter: RouterMiddleware {
    func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            count(context, response.status)
            return response
        } catch let error as any HTTPResponseError {
            count(context, error.status)
            throw error
        }
    }

    private func count(_ context: BasicRequestContext, _ status: HTTPResponse.Status) {
        let dimensions = [("route", context.endpointPath ?? "none"), ("code", "\(status.code)")]
        Counter(label: "netwatch_http_requests_total", dimensions: dimensions).increment()
    }
}
#endif
