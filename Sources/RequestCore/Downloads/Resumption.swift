import RequestEngine

/// Asks for the rest of a download, as often as the server gives less of it than was asked for, and for the whole where there
/// is no such rest. What an attempt that failed has fetched is gone on with by the next one.
struct Resumption: Interceptor {
    private let file: PartialFile
    private let resumeData: ResumeData?

    init(_ file: PartialFile, _ resumeData: ResumeData?) {
        self.file = file
        self.resumeData = resumeData
    }

    func respond(
        to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        var exchange = exchange
        var asked = file.rest ?? resumeData
        while let rest = asked, let response = try await part(rest, exchange, next) {
            exchange.noteTime(of: response)
            // An answer that is no part, such as a redirect or a refusal, says nothing of the rest: it is for those around.
            guard response.statusCode == 206, let missing = file.rest else { return response }
            // A part that was cut off before its first byte: asking on and on would lead nowhere.
            guard missing.offset > rest.offset else { throw lost(response) }
            asked = missing
        }
        file.expect(nil)
        return try await next(exchange)
    }

    /// One answer to the question for the rest; nil where there is none, so that the whole has to be asked for.
    private func part(
        _ rest: ResumeData, _ exchange: Exchange,
        _ next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response? {
        file.expect(rest)
        var exchange = exchange
        exchange.request.headers = exchange.request.headers.merging(rest.headers)
        do throws(RequestError) {
            let response = try await next(exchange)
            guard response.statusCode == 416 else { return response }
            // There may be nothing left of what has come in parts, or something has changed.
            return try file.finish(after: response) ? response : nil
        } catch {
            if case .unresumable = error.reason { return nil }
            throw error
        }
    }

    private func lost(_ response: Response) -> RequestError {
        RequestError(.connectionLost(received: 0, nil), metrics: response.metrics)
    }
}
