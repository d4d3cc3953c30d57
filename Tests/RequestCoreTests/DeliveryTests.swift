import EventLoop
import Foundation
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite("Where an answer goes")
struct DeliveryTests {
    private let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
    private let folder: TemporaryFolder
    private let server: SocketServer
    private let session: Session

    /// Sends each request twice at once, and takes what comes first.
    private struct Hedge: Interceptor {
        func respond(
            to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
        ) async throws(RequestError) -> Response {
            async let one = Self.outcome(exchange, next)
            async let other = Self.outcome(exchange, next)
            let outcomes = await [one, other]
            let failures = outcomes.compactMap { outcome -> RequestError? in
                if case .failure(let error) = outcome { error } else { nil }
            }
            #expect(failures.count == (exchange.request.headers.contains(name: "X-Memory") ? 0 : 1))
            for failure in failures {
                #expect(failure.reason == .undeliverable("another transfer of the same task writes there now"))
            }
            for case .success(let response) in outcomes { return response }
            return try outcomes[0].get()
        }

        private static func outcome(
            _ exchange: Exchange, _ next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
        ) async -> Result<Response, RequestError> {
            do throws(RequestError) { return .success(try await next(exchange)) } catch { return .failure(error) }
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        server = try SocketServer { [content] connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(content.count)\r\n\r\n")
            for start in stride(from: 0, to: content.count, by: 100_000) {
                guard connection.send(Array(content[start..<min(content.count, start + 100_000)])) else { return }
                usleep(1000)
            }
        }
        var configuration = SessionConfiguration()
        configuration.interceptors = [Hedge()]
        session = try Session(configuration: configuration, loop: EventLoop())
    }

    private var url: URL { URL(filePath: folder.path.string) }

    private func request() throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
    }

    @Test("a file takes one answer at a time, and is whole")
    func file() async throws {
        let path = url.appending(path: "file")
        _ = try await session.download(Download(request(), to: path.path))
        #expect(try Data(contentsOf: path) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["file"])
    }

    @Test("a stream takes one answer at a time, and is whole")
    func stream() async throws {
        var body = Data()
        for try await piece in try await session.stream(request()).body { body += piece }
        #expect(body == content)
    }

    @Test("in memory each answer has its place")
    func memory() async throws {
        var request = try request()
        request.headers["X-Memory"] = "1"
        #expect(try await session.response(for: request).body == content)
    }

    @Test("a file that another process writes into is no download")
    func spoilt() async throws {
        let signal = try Signal()
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\n")
            signal.wait()
            connection.send("good")
        }
        let folder = self.url.appending(path: "spoilt")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        let session = try Session(loop: EventLoop())
        let task = Task { try await session.download(Download(request, to: folder.appending(path: "file").path)) }
        var parts: [String] = []
        while parts.isEmpty {
            try await Task.sleep(for: .milliseconds(1))
            parts = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        }
        try Data("longer".utf8).write(to: folder.appending(path: parts[0]), options: [])
        let file = try FileHandle(forWritingTo: folder.appending(path: parts[0]))
        try file.truncate(atOffset: 6)
        signal.fire()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        guard case .undeliverable = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
