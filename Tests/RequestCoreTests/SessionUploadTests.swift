import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("A body that is made while it is sent")
struct SessionUploadTests {
    let session: Session

    init() throws {
        session = try Session(configuration: .followingRedirects, loop: EventLoop())
    }

    private func request(_ port: Int, _ body: RequestBody) throws -> Request {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        return Request(url: url, method: .put, body: body)
    }

    private static func pieces(_ count: Int) -> AsyncStream<Data> {
        AsyncStream { stream in
            for number in 0..<count { stream.yield(Data("piece \(number) ".utf8)) }
            stream.finish()
        }
    }

    @Test("the pieces arrive in order, with the length where it is known", arguments: [true, false])
    func order(isLengthKnown: Bool) async throws {
        let server = try EchoServer()
        let content = (0..<500).map { "piece \($0) " }.joined()
        let body = RequestBody.sequence(length: isLengthKnown ? Int64(content.utf8.count) : nil) { Self.pieces(500) }
        #expect(try await session.response(for: request(server.port, body)).statusCode == 200)
        let received = server.takeRequests().joined()
        if isLengthKnown {
            #expect(received.hasSuffix("\r\n\r\n" + content))
        } else {
            #expect(received.contains("Transfer-Encoding: chunked") && received.hasSuffix("0\r\n\r\n"))
            #expect(received.contains("piece 0 ") && received.contains("piece 499 "))
        }
    }

    @Test("a piece that takes its time is waited for, longer than the idle time-out")
    func slow() async throws {
        let server = try EchoServer()
        let body = RequestBody.sequence(length: 6) {
            AsyncStream { stream in
                stream.yield(Data("one".utf8))
                Task {
                    try await Task.sleep(for: .seconds(5))
                    stream.yield(Data("two".utf8))
                    stream.finish()
                }
            }
        }
        var request = try request(server.port, body)
        request.timeouts.idle = .seconds(4)
        #expect(try await session.response(for: request).statusCode == 200)
        #expect(server.takeRequests().joined().hasSuffix("onetwo"))
    }

    @Test("a server that does not read makes the sequence wait")
    func backPressure() async throws {
        struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let count: Counter
            func makeAsyncIterator() -> Endless { self }
            mutating func next() async throws -> Data? {
                count.value.withLock { $0 += 1 }
                return Data(count: 64 << 10)
            }
        }
        final class Counter: Sendable { let value = Mutex(0) }
        let gate = try Signal()
        let server = try SocketServer { connection in
            connection.readRequest()
            gate.wait()
        }
        let count = Counter()
        let request = try request(server.port, .sequence { Endless(count: count) })
        let task = Task { try await session.response(for: request).statusCode }
        // Until it stands still: nothing more fits into the buffers between.
        var before = 0
        while before == 0 || count.value.withLock({ $0 }) != before {
            before = count.value.withLock { $0 }
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(before < 512)
        gate.fire()
        await #expect(throws: RequestError.self) { _ = try await task.value }
    }

    @Test("a sequence that fails, or ends before its length, fails the request")
    func failures() async throws {
        struct Broken: Error, CustomStringConvertible { let description = "no more" }
        let server = try EchoServer()
        let failing = RequestBody.sequence(length: 100) {
            AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data("one".utf8))
                stream.finish(throwing: Broken())
            }
        }
        let failure = await #expect(throws: RequestError.self) {
            try await session.response(for: request(server.port, failing))
        }
        #expect(failure?.reason == .bodyFailed("no more"))
        let short = RequestBody.sequence(length: 100) { Self.pieces(1) }
        let end = await #expect(throws: RequestError.self) {
            try await session.response(for: request(server.port, short))
        }
        #expect(end?.reason == .bodyFailed("it ended 92 bytes before its length"))
    }

    @Test("a length below nothing is refused, and not taken for an empty body")
    func negativeLength() async throws {
        let server = try EchoServer()
        let error = await #expect(throws: RequestError.self) {
            try await session.response(for: request(server.port, RequestBody.sequence(length: -1) { Self.pieces(1) }))
        }
        #expect(error?.reason == .bodyFailed("it cannot have -1 bytes"))
    }

    @Test("after a redirect that keeps the body the sequence is made anew")
    func redirect() async throws {
        let made = Mutex(0)
        let bodies = Mutex<[String]>([])
        let server = try SocketServer { connection in
            let head = connection.readRequest()
            var body = ""
            while body.utf8.count < 8 {
                var byte: UInt8 = 0
                guard read(connection.descriptor, &byte, 1) == 1 else { break }
                body.append(Character(Unicode.Scalar(byte)))
            }
            bodies.withLock { $0.append(body) }
            let isFirst = head.hasPrefix("PUT / ")
            connection.send("HTTP/1.1 \(isFirst ? "307 Again\r\nLocation: /there" : "200 OK")\r\n")
            connection.send("Content-Length: 0\r\nConnection: close\r\n\r\n")
        }
        let body = RequestBody.sequence(length: 8) {
            made.withLock { $0 += 1 }
            return Self.pieces(1)
        }
        #expect(try await session.response(for: request(server.port, body)).statusCode == 200)
        #expect(bodies.withLock { $0 } == ["piece 0 ", "piece 0 "])
        #expect(made.withLock { $0 } == 2)
    }

    @Test(
        "what the server answers is told although the sequence has nothing more to give",
        .timeLimit(.minutes(1)),
        arguments: [
            "401 No\r\nContent-Length: 0", "413 Too Large\r\nContent-Length: 0", "503 Later\r\nContent-Length: 4",
            "200 OK\r\nConnection: close\r\nContent-Length: 4", "500 Oh\r\nConnection: close",
            "200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked",
        ])
    func earlyAnswer(head: String) async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 \(head)\r\n\r\n" + (head.hasSuffix("4") ? "done" : ""))
            // What tells of the end comes by itself.
            usleep(100_000)
            if head.hasSuffix("chunked") { connection.send("4\r\ndone\r\n0\r\n\r\n") }
            if head.hasSuffix("close") { return }
            connection.waitForEnd()
        }
        let (quiet, giver) = AsyncStream<Data>.makeStream()
        defer { giver.finish() }
        let response = try await session.response(for: request(server.port, RequestBody.sequence { quiet }))
        #expect(head.hasPrefix("\(response.statusCode) "))
        #expect(response.body.count == (head.hasSuffix("4") || head.hasSuffix("chunked") ? 4 : 0))
    }

    @Test("cancelling the request ends the sequence")
    func cancelled() async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.waitForEnd()
        }
        let body = RequestBody.sequence {
            AsyncStream<Data> { stream in
                stream.yield(Data("one".utf8))
                stream.onTermination = { _ in continuation.yield() }
                beginning.yield()
            }
        }
        let request = try request(server.port, body)
        let task = Task { try await session.response(for: request).statusCode }
        for await _ in begun { break }
        task.cancel()
        let error = await #expect(throws: RequestError.self) { _ = try await task.value }
        #expect(error?.reason == .cancelled)
        for await _ in ended { break }
    }
}
