import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("A streamed response")
struct SessionStreamTests {
    let session: Session

    init() throws {
        session = try Session(loop: EventLoop())
    }

    func request(_ server: SocketServer) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
    }

    @Test("the header is there before the body, and the pieces come in order")
    func order() async throws {
        let (seen, continuation) = AsyncStream.makeStream(of: Void.self)
        let gate = try Signal()
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            gate.wait()
            connection.send("01234")
            continuation.yield()
            connection.send("56789")
        }
        let stream = try await session.stream(request(server))
        #expect(stream.head.statusCode == 200)
        #expect(stream.head.contentLength == 10)
        gate.fire()
        var body = Data()
        for try await piece in stream.body { body += piece }
        for await _ in seen { break }
        #expect(body == Data("0123456789".utf8))
        #expect(stream.metrics?.bytesReceived ?? 0 > 10)
    }

    @Test("the fields after the body are there once it has been read, apart from the header")
    func trailers() async throws {
        let gate = try Signal()
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nX-Sum: 1\r\n\r\n")
            connection.send("5\r\nhello\r\n")
            gate.wait()
            connection.send("0\r\nX-Sum: 2\r\nX-Late: 3\r\n\r\n")
        }
        let stream = try await session.stream(request(server))
        #expect(stream.trailers == nil)
        gate.fire()
        for try await _ in stream.body {}
        #expect(stream.trailers?.map(\.value) == ["2", "3"])
        gate.fire()
        let response = try await session.response(for: request(server))
        #expect(response.headers.values(of: "X-Sum") == ["1"])
        #expect(response.trailers["X-Sum"] == "2" && response.trailers["X-Late"] == "3")
        #expect(response.body == Data("hello".utf8))
    }

    @Test("a body that is longer than the request allows ends with an error", arguments: [true, false])
    func tooLong(isStated: Bool) async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(isStated ? "Content-Length: 100\r\n" : "")\r\n")
            connection.send(String(repeating: "x", count: 100))
        }
        var request = try request(server)
        request.maximumBodySize = 99
        let error = await #expect(throws: RequestError.self) {
            for try await _ in try await session.stream(request).body {}
        }
        #expect(error?.reason == .bodyTooLarge(limit: 99))
        request.maximumBodySize = 100
        var count = 0
        for try await piece in try await session.stream(request).body { count += piece.count }
        #expect(count == 100)
    }

    @Test("a body is held to what the request allows by its own length, and not by that of what it comes packed in")
    func packedLength() async throws {
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA8vPBgBH3dx5AgAAAA=="))
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n")
            connection.send(Array(gzip))
        }
        var request = try request(server)
        request.maximumBodySize = 2
        var count = 0
        for try await piece in try await session.stream(request).body { count += piece.count }
        #expect(count == 2)
        #expect(try await session.response(for: request).body == Data("ok".utf8))
        request.maximumBodySize = 1
        let error = await #expect(throws: RequestError.self) {
            for try await _ in try await session.stream(request).body {}
        }
        #expect(error?.reason == .bodyTooLarge(limit: 1))
    }

    @Test("two tasks that read one body get each piece once, and both the end", .timeLimit(.minutes(1)))
    func twoReaders() async throws {
        let gate = try Signal()
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            gate.wait()
            for _ in 0..<100 { connection.send([UInt8](repeating: 120, count: 1000)) }
        }
        let body = try await session.stream(request(server)).body
        let readers = (0..<2).map { _ in
            Task {
                var count = 0
                for try await piece in body { count += piece.count }
                return count
            }
        }
        // Long enough that both wait; where they do not, less is tried.
        try await Task.sleep(for: .milliseconds(100))
        gate.fire()
        var count = 0
        for reader in readers { count += try await reader.value }
        #expect(count == 100_000)
    }

    @Test("a reader that waits makes the server wait")
    func backPressure() async throws {
        let sent = Mutex(0)
        let total = 64 << 20
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            let piece = [UInt8](repeating: 120, count: 64 << 10)
            for _ in 0..<(total / piece.count) {
                guard connection.send(piece) else { return }
                sent.withLock { $0 += piece.count }
            }
        }
        let stream = try await session.stream(request(server))
        // Until the server stands still: nothing more fits into the buffers between.
        var before = -1
        while sent.withLock({ $0 }) != before {
            before = sent.withLock { $0 }
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(before < 32 << 20)
        var count = 0
        for try await piece in stream.body { count += piece.count }
        #expect(count == total)
    }

    @Test(
        "a compressed body that proves to be damaged when a reader that waited reads on is an error then, and no silence"
    )
    func damagedTail() async throws {
        let folder = try TemporaryFolder()
        // More than is held for a reader, and on the wire so little that all of it is there when the transfer has to wait.
        let file = try folder.write([UInt8](repeating: 0, count: 320 << 10), to: "zeros")
        try Command.run(["sh", "-c", "gzip -c <\(file) >\(file).gz"])
        var damaged = Array(try Data(contentsOf: URL(filePath: "\(file).gz")))
        // The checksum stands before the length, and each is four bytes long (RFC 1952 section 2.3.1).
        damaged[damaged.count - 8] ^= 0xFF
        let packed = damaged
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
            connection.send(packed)
            connection.waitForEnd()
        }
        var request = try request(server)
        request.timeouts.idle = .seconds(30)
        let stream = try await session.stream(request)
        // Long enough that the transfer waits for the reader; where it does not yet, less is tried.
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        let error = await #expect(throws: RequestError.self) { for try await _ in stream.body {} }
        #expect(start.duration(to: .now) < .seconds(20))
        guard case .malformedContent? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a stream that nobody holds ends its transfer")
    func dropped() async throws {
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send("more") { usleep(1_000) }
            continuation.yield()
        }
        func readOnce() async throws {
            let stream = try await session.stream(request(server))
            var pieces = stream.body.makeAsyncIterator()
            _ = try await pieces.next()
        }
        try await readOnce()
        for await _ in ended { break }
    }

    @Test("a connection that breaks is an error after what came")
    func broken() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234")
        }
        let stream = try await session.stream(request(server))
        var body = Data()
        let error = await #expect(throws: RequestError.self) {
            for try await piece in stream.body { body += piece }
        }
        #expect(body == Data("01234".utf8))
        #expect(error?.reason == .connectionLost(received: 5, nil))
    }

    @Test("a reading task that is cancelled is given nothing more, also of what has come")
    func cancelledWithRest() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            connection.send([UInt8](repeating: 120, count: 1_000_000))
        }
        let stream = try await session.stream(request(server))
        let reader = Task {
            var pieces = 0
            do throws(RequestError) {
                for try await _ in stream.body {
                    pieces += 1
                    guard pieces == 1 else { continue }
                    // Long enough that more has come; where it has not, less is tried.
                    try? await Task.sleep(for: .milliseconds(50))
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return "\(pieces), whole"
            } catch {
                return "\(pieces), \(error.reason)"
            }
        }
        #expect(await reader.value == "1, \(RequestError.Reason.cancelled)")
    }

    @Test("cancelling the reading task ends the wait")
    func cancelled() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            connection.waitForEnd()
        }
        let stream = try await session.stream(request(server))
        let task = Task {
            var pieces = stream.body.makeAsyncIterator()
            return try await pieces.next()
        }
        task.cancel()
        let error = await #expect(throws: RequestError.self) { _ = try await task.value }
        #expect(error?.reason == .cancelled)
    }

    @Test("a refusal that is the last word comes to the reader with its body", arguments: [11, 300_000])
    func refusal(length: Int) async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"here\"\r\nConnection: close\r\n")
            connection.send("Content-Length: \(length)\r\n\r\n")
            connection.send(String(repeating: "x", count: length))
        }
        var request = try request(server)
        request.interceptors = [ChallengeResponder(handler: Silent())]
        let stream = try await session.stream(request)
        #expect(stream.head.statusCode == 401)
        var body = Data()
        for try await piece in stream.body { body += piece }
        #expect(body == Data(repeating: 120, count: length))
        #expect(try await session.response(for: request).body == body)
    }

    @Test("of a refusal that is longer than what can be kept back, the beginning comes, and then an error")
    func longRefusal() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"here\"\r\nConnection: close\r\n")
            connection.send("Content-Length: 2000000\r\n\r\n")
            connection.send(String(repeating: "x", count: 2_000_000))
        }
        var request = try request(server)
        request.interceptors = [ChallengeResponder(handler: Silent())]
        let stream = try await session.stream(request)
        var body = Data()
        let error = await #expect(throws: RequestError.self) {
            for try await piece in stream.body { body += piece }
        }
        #expect(body.count == 1 << 20)
        #expect(error?.reason == .bodyTooLarge(limit: 1 << 20))
    }

    /// Has no credential to give.
    private struct Silent: ChallengeHandler {
        func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer { .defaultHandling }
    }

    @Test("once the reader has the header of an answer no other is sent for", arguments: ["", "01234"])
    func noSecondAnswer(beginning: String) async throws {
        let count = Counter()
        let server = try SocketServer { connection in
            connection.readRequest()
            let isFirst = count.next() == 0
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n")
            connection.send(isFirst ? beginning : "abcdefghij")
        }
        struct Again: RequestRetrier {
            func retry(_ attempt: RequestAttempt) async -> RetryDecision { attempt.count < 3 ? .retry : .doNotRetry }
        }
        var request = try request(server)
        request.interceptors = [Attempts(retriers: [Again()])]
        let stream = try await session.stream(request)
        var body = Data()
        let error = await #expect(throws: RequestError.self) {
            for try await piece in stream.body { body += piece }
        }
        #expect(error?.reason == .connectionLost(received: beginning.count, nil))
        #expect(body == Data(beginning.utf8) && count.value == 1)
    }

    @Test("an answer that the reader has stands, whatever a retrier wants")
    func answerStands() async throws {
        let count = Counter()
        let server = try SocketServer { connection in
            connection.readRequest()
            count.next()
            connection.send("HTTP/1.1 500 No\r\nConnection: close\r\nContent-Length: 4\r\n\r\noops")
        }
        struct Again: RequestRetrier {
            func retry(_ attempt: RequestAttempt) async -> RetryDecision { .retry }
        }
        var request = try request(server)
        request.interceptors = [Attempts(retriers: [Again()])]
        let stream = try await session.stream(request)
        var body = Data()
        for try await piece in stream.body { body += piece }
        #expect(stream.head.statusCode == 500 && body == Data("oops".utf8) && count.value == 1)
    }

    @Test("an interceptor that sends again after the reader has an answer gets the error that this one ended with")
    func ownRetry() async throws {
        struct Twice: Interceptor {
            func respond(
                to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
            ) async throws(RequestError) -> Response {
                do throws(RequestError) { return try await next(exchange) } catch { return try await next(exchange) }
            }
        }
        let count = Counter()
        let server = try SocketServer { connection in
            connection.readRequest()
            count.next()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n01234")
        }
        var request = try request(server)
        request.interceptors = [Twice()]
        let stream = try await session.stream(request)
        let error = await #expect(throws: RequestError.self) { for try await _ in stream.body {} }
        #expect(error?.reason == .connectionLost(received: 5, nil) && count.value == 1)
    }

    @Test("an interceptor can set an answer aside and send another request in its place")
    func interceptor() async throws {
        struct Second: Interceptor {
            func respond(
                to exchange: Exchange, next: @escaping @Sendable (Exchange) async throws(RequestError) -> Response
            ) async throws(RequestError) -> Response {
                var exchange = exchange
                exchange.setAside { $0.statusCode == 503 }
                let response = try await next(exchange)
                guard response.statusCode == 503 else { return response }
                exchange.request.headers["X-Reason"] = String(decoding: response.body, as: UTF8.self)
                return try await next(exchange)
            }
        }
        let server = try SocketServer { connection in
            let (status, body) = connection.readRequest().contains("X-Reason: busy") ? (200, "done") : (503, "busy")
            connection.send("HTTP/1.1 \(status) X\r\nConnection: close\r\nContent-Length: 4\r\n\r\n\(body)")
        }
        var request = try request(server)
        request.interceptors = [Second()]
        let stream = try await session.stream(request)
        #expect(stream.head.statusCode == 200)
        var body = Data()
        for try await piece in stream.body { body += piece }
        #expect(body == Data("done".utf8))
    }
}

/// Holds a thread of a test's server until the test lets it go on.
final class Signal: Sendable {
    private let ends: [CInt]

    init() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        self.ends = ends
    }

    deinit { ends.forEach { close($0) } }

    func fire() { write(ends[1], "x", 1) }

    func wait() {
        var byte: UInt8 = 0
        _ = read(ends[0], &byte, 1)
    }
}
