import Foundation
import RequestCore
import Testing

/// An application's file, in a package that sets no upcoming feature of the language.
struct RequestNumbers: Interceptor {
    nonisolated(nonsending) func respond(
        to exchange: Exchange,
        next: nonisolated(nonsending) @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        var exchange = exchange
        exchange.request.headers["X-Request-Number"] = "\(exchange.task)"
        return try await next(exchange)
    }
}

/// Gives back what it was asked.
private struct Mirror: Interceptor {
    nonisolated(nonsending) func respond(
        to exchange: Exchange,
        next: nonisolated(nonsending) @escaping @Sendable (Exchange) async throws(RequestError) -> Response
    ) async throws(RequestError) -> Response {
        Response(url: exchange.request.url, statusCode: 200, headers: exchange.request.headers)
    }
}

@Suite("An interceptor of an application with default settings")
struct InterceptorExampleTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("does its part")
    func works() async throws {
        var configuration = SessionConfiguration()
        configuration.interceptors = [RequestNumbers(), Mirror()]
        let session = try Session(configuration: configuration)
        let request = Request(url: try #require(URL(string: "http://127.0.0.1/")))
        let number = try await session.response(for: request).headers["X-Request-Number"]
        #expect(number.flatMap { UInt64($0) } != nil, "\(number ?? "none")")
    }

    @Test(
        "is written as the documentation has it",
        arguments: [
            "RequestCore/RequestCore.docc/Interceptors.md", "RequestEngine/Engine/Exchange/Interceptor.swift",
        ])
    func isDocumented(file: String) throws {
        let code = Self.lines(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
        let text = Self.lines(
            try String(contentsOf: Self.package.appending(path: "Sources/\(file)"), encoding: .utf8))
        let example = try #require(text.firstRange(of: "struct RequestNumbers: Interceptor {\n")?.lowerBound)
        let end = try #require(text[example...].firstRange(of: "```")?.lowerBound)
        #expect(code.contains(text[example..<end]))
    }

    /// The text without what is before and after each line, and the marks of comments.
    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map {
            String($0).trimmingCharacters(in: .whitespaces).replacing(/^\/\/\//, with: "")
                .trimmingCharacters(in: .whitespaces)
        }
        .joined(separator: "\n")
    }
}
