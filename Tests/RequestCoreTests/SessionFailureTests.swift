import EventLoop
import Foundation
import Glibc
import NetworkAddress
import RequestCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("A session against servers that misbehave")
struct SessionFailureTests {
    let session: Session

    init() throws {
        session = try Session(loop: EventLoop())
    }

    func request(_ server: SocketServer, _ change: (inout Request) -> Void = { _ in }) throws -> Request {
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        request.timeouts = Timeouts(connect: .seconds(20), idle: .seconds(20), total: .seconds(60))
        change(&request)
        return request
    }

    /// What goes wrong with a request to a server that reads the request and then runs the script.
    func failure(
        _ change: (inout Request) -> Void = { _ in }, _ script: @escaping @Sendable (SocketServer.Connection) -> Void
    ) async throws -> RequestError? {
        let server = try SocketServer { connection in
            connection.readRequest()
            script(connection)
        }
        let request = try request(server, change)
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        withExtendedLifetime(server) {}
        return error
    }

    @Test("a server that never answers: the idle time-out ends it, in the phase of processing")
    func silent() async throws {
        let error = try await failure {
            $0.timeouts.idle = .milliseconds(100)
        } _: {
            $0.waitForEnd()
        }
        #expect(error?.reason == .timedOut(.processing, after: .milliseconds(100)))
        #expect(error?.failedPhase == .processing)
        #expect(error?.metrics.remoteAddress == IPAddress("127.0.0.1"))
        #expect((error?.metrics.phases[.processing] ?? .zero) >= .milliseconds(100))
        #expect((error?.metrics.bytesSent ?? 0) > 0)
    }

    @Test("a server that sends a byte now and then: the total time-out ends it, the idle one does not")
    func slow() async throws {
        let error = try await failure {
            $0.timeouts = Timeouts(idle: .seconds(5), total: .milliseconds(400))
        } _: { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while connection.send("x") { usleep(20_000) }
        }
        #expect(error?.reason == .timedOut(.transfer, after: .milliseconds(400)))
        #expect((error?.metrics.bytesReceived ?? 0) > 40)
    }

    @Test("a header that comes byte by byte is no idle connection")
    func tricklingHeader() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            for byte in "HTTP/1.1 200 OK\r\nX-Long: abcdefghijklmnopqrstuvwxyz\r\nContent-Length: 0\r\n\r\n".utf8 {
                connection.send([byte])
                usleep(40_000)
            }
        }
        let request = try request(server) { $0.timeouts.idle = .milliseconds(500) }
        #expect(try await session.response(for: request).statusCode == 200)
    }

    @Test("a body that the server takes slowly is no idle connection, and one that it does not take at all is")
    func slowReader() async throws {
        let isStuck = Mutex(false)
        let server = try SocketServer { connection in
            var room: CInt = 4096
            setsockopt(connection.descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size))
            connection.readRequest()
            guard !isStuck.withLock({ $0 }) else {
                usleep(30_000_000)
                return
            }
            var buffer = [UInt8](repeating: 0, count: 20_000)
            var left = 1_000_000
            while left > 0 {
                let count = read(connection.descriptor, &buffer, min(left, buffer.count))
                guard count > 0 else { return }
                left -= count
                usleep(50_000)
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let request = try request(server) {
            $0.method = .post
            $0.body = .data(Data(count: 1_000_000))
            $0.timeouts.idle = .milliseconds(800)
        }
        #expect(try await session.response(for: request).statusCode == 200)
        isStuck.withLock { $0 = true }
        let start = ContinuousClock.now
        let other = try Session(loop: EventLoop())
        let error = await #expect(throws: RequestError.self) { try await other.response(for: request) }
        #expect(error?.reason == .timedOut(.processing, after: .milliseconds(800)))
        #expect(start.duration(to: .now) < .seconds(20))
    }

    @Test("a server that stops in the middle: the idle time-out ends it, in the phase of transfer")
    func stalled() async throws {
        let error = try await failure {
            $0.timeouts.idle = .milliseconds(100)
        } _: { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nten bytes.")
            connection.waitForEnd()
        }
        #expect(error?.reason == .timedOut(.transfer, after: .milliseconds(100)))
    }

    @Test("a header without end is cut off at the limit")
    func endlessHeader() async throws {
        let error = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-Endless: \(String(repeating: "x", count: 1000))\r\n") {}
        }
        #expect(error?.reason == .headerTooLarge(limit: session.configuration.maximumHeaderSize))
    }

    @Test("informational answers without end are cut off at the limit")
    func endlessInformation() async throws {
        let error = try await failure { connection in
            while connection.send("HTTP/1.1 103 Early Hints\r\nLink: </\(String(repeating: "x", count: 500))>\r\n\r\n")
            {}
        }
        #expect(error?.reason == .headerTooLarge(limit: session.configuration.maximumHeaderSize))
    }

    @Test("trailers without end are cut off at the limit")
    func endlessTrailers() async throws {
        let error = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n")
            while connection.send("X-Endless: \(String(repeating: "x", count: 1000))\r\n") {}
        }
        #expect(error?.reason == .headerTooLarge(limit: session.configuration.maximumHeaderSize))
    }

    @Test(
        "chunks whose lengths make no sense are an error",
        arguments: ["xyz\r\nok\r\n", "fffffffffffffffff\r\nok\r\n", "-2\r\nok\r\n"])
    func malformedChunks(chunks: String) async throws {
        let error = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
            connection.waitForEnd()
        }
        #expect(error != nil)
        #expect(error?.failedPhase == .transfer)
    }

    @Test("chunks that end too early are told as a broken connection")
    func shortChunks() async throws {
        let error = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nten bytes.")
        }
        #expect(error?.reason == .connectionLost(received: 10, nil))
    }

    @Test("a length that is no number is an error, or is not believed", arguments: ["-1", "99999999999999999999999"])
    func malformedLength(length: String) async throws {
        let error = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nten bytes.")
            connection.resetOnClose()
        }
        #expect(error != nil)
    }

    @Test("a header line without end is cut off")
    func endlessHeaderLine() async throws {
        let error = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nX-Endless: ")
            while connection.send(String(repeating: "x", count: 4096)) {}
        }
        guard case .headerTooLarge = error?.reason else { throw Unexpected(error) }
    }

    @Test(
        "a header that ends in the middle is no answer",
        arguments: ["", "Server: x\r\n", "Content-Length: 0\r\n", "Location: /there\r\n"])
    func cutHeader(field: String) async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\(field)")
        }
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        let error = await #expect(throws: RequestError.self) {
            try await Session(loop: EventLoop()).response(for: request)
        }
        guard case .connectionLost(received: 0, _)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("4 GB promised and ten bytes given: told as a broken connection")
    func shortBody() async throws {
        let error = try await failure {
            $0.maximumBodySize = .max
        } _: { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4294967296\r\n\r\nten bytes.")
        }
        #expect(error?.reason == .connectionLost(received: 10, nil))
    }

    @Test("a body that is announced to be longer than the limit is refused before it is read")
    func announcedTooLong() async throws {
        let error = try await failure {
            $0.maximumBodySize = 1000
        } _: { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4294967296\r\n\r\nx")
            connection.waitForEnd()
        }
        #expect(error?.reason == .bodyTooLarge(limit: 1000))
    }

    @Test("a body that turns out to be longer than the limit is cut off there")
    func endlessBody() async throws {
        let error = try await failure {
            $0.maximumBodySize = 100_000
        } _: { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send(String(repeating: "x", count: 4096)) {}
        }
        #expect(error?.reason == .bodyTooLarge(limit: 100_000))
    }

    @Test("a compressed body counts by what it unpacks to")
    func gzipBomb() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data(count: 20 << 20), to: "zeros")
        try Command.run(["gzip", "-9", file.string])
        let bomb = try Data(contentsOf: URL(filePath: "\(file).gz"))
        #expect(bomb.count < 30_000)
        let error = try await failure {
            $0.maximumBodySize = 1 << 20
        } _: { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            connection.send(Array(bomb))
        }
        #expect(error?.reason == .bodyTooLarge(limit: 1 << 20))
    }

    @Test("codings that unpack to next to nothing are given up, and hold nothing up")
    func emptyBomb() async throws {
        let folder = try TemporaryFolder()
        let empty = try folder.write(Data(), to: "empty")
        try Command.run(["gzip", "-9", empty.string])
        let member = try Data(contentsOf: URL(filePath: "\(empty).gz"))
        // Zeros behind a member of gzip are none of it.
        let file = try folder.write(member + Data(count: 8 << 20), to: "inner")
        try Command.run(["gzip", "-9", file.string])
        let bomb = try Data(contentsOf: URL(filePath: "\(file).gz"))
        let error = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            connection.send(Array(bomb))
        }
        guard case .malformedContent = error?.reason else { throw Unexpected(error) }
    }

    @Test("a body that is not compressed as it says is told so")
    func malformedContent() async throws {
        let error = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain")
        }
        guard case .malformedContent = error?.reason else { throw Unexpected(error) }
    }

    @Test("a redirect whose body is not compressed as it says is followed; it is told so where it is the answer")
    func malformedRedirect() async throws {
        let server = try SocketServer { connection in
            let isStart = connection.readRequest().hasPrefix("GET / ")
            let fields = isStart ? "302 Found\r\nLocation: /next\r\nContent-Encoding: gzip" : "200 OK"
            connection.send("HTTP/1.1 \(fields)\r\nConnection: close\r\nContent-Length: 5\r\n\r\nplain")
        }
        let followed = try request(server) { $0.interceptors = [RedirectFollower()] }
        #expect(try await session.response(for: followed).body == Data("plain".utf8))
        let refused = try request(server) { $0.interceptors = [RedirectFollower(handler: RedirectAnswer.refuse)] }
        let error = await #expect(throws: RequestError.self) { try await session.response(for: refused) }
        guard case .malformedContent = error?.reason else { throw Unexpected(error) }
    }

    @Test("a reset in the middle is told with the errno and the bytes received")
    func reset() async throws {
        let error = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nten bytes.")
            // The client must have read them before: a reset discards what lies in its receive buffer.
            while connection.unsentBytes > 0 { usleep(1_000) }
            usleep(20_000)
            connection.resetOnClose()
        }
        #expect(error?.reason == .connectionLost(received: 10, .connectionReset))
        #expect(error?.failedPhase == .transfer)
    }

    @Test("a server that closes without a word is told as an empty response")
    func closed() async throws {
        let error = try await failure { _ in }
        #expect(error?.reason == .emptyResponse)
    }

    @Test(
        "what is not HTTP is told as malformed",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
        ])
    func malformed(answer: String) async throws {
        let error = try await failure { connection in
            connection.send(answer)
        }
        guard case .malformedResponse = error?.reason else { throw Unexpected(error) }
    }

    @Test("a header that is not UTF-8 is read as ISO-8859-1")
    func latin1() async throws {
        let server = try SocketServer { connection in
            connection.readRequest()
            connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Name: caf".utf8) + [0xE9, 13, 10, 13, 10])
        }
        let response = try await session.response(for: request(server))
        #expect(response.headers["x-name"] == "caf\u{E9}")
    }

    @Test("a port where nobody listens is refused, with the errno and the address tried")
    func refused() async throws {
        let port = try FreePort.next()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        let error = await #expect(throws: RequestError.self) { try await session.response(for: Request(url: url)) }
        #expect(error?.reason == .connect(host: "127.0.0.1", port: port, .connectionRefused))
        #expect(error?.failedPhase == .connect)
        #expect(error?.metrics.remoteAddress == IPAddress("127.0.0.1"))
        #expect(error?.metrics.remotePort == port)
    }

    @Test("a server that accepts and is silent in the TLS handshake: the phase is tls, and connect is measured")
    func silentHandshake() async throws {
        let server = try SocketServer { $0.waitForEnd() }
        var request = Request(url: try #require(URL(string: "https://127.0.0.1:\(server.port)/")))
        request.timeouts.connect = .seconds(1)
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .timedOut(.tls, after: .seconds(1)))
        // On a busy host the connection itself may have taken most of the time.
        let connect = try #require(error?.metrics.phases[.connect])
        let tls = try #require(error?.metrics.phases[.tls])
        #expect(connect + tls > .milliseconds(500))
    }

    @Test("a server that does not speak TLS is told as a failed handshake")
    func noTLS() async throws {
        let server = try SocketServer { connection in
            connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.waitForEnd()
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let error = await #expect(throws: RequestError.self) { try await session.response(for: Request(url: url)) }
        guard case .tls("127.0.0.1", _) = error?.reason else { throw Unexpected(error) }
        #expect(error?.failedPhase == .tls)
    }

    @Test("cancelling the task ends the transfer at once")
    func cancellation() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try SocketServer { connection in
            connection.readRequest()
            continuation.yield()
            connection.waitForEnd()
        }
        let request = try request(server)
        let task = Task { try await session.response(for: request) }
        for await _ in asked { break }
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
        #expect(error?.failedPhase == .processing)
    }

    @Test("a task that was cancelled before it began sends nothing")
    func cancelledBefore() async throws {
        let request = try request(try SocketServer { _ in })
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await session.response(for: request)
        }
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
        #expect(error?.metrics.bytesSent == 0)
    }

    struct Unexpected: Error {
        let error: RequestError?
        init(_ error: RequestError?) { self.error = error }
    }
}
