import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import TestSupport
import Testing

/// A session uses libcurl's handles again, set up as they are: nothing of one request may be in the next.
@Suite("Requests of every kind, one after the other over the same handles")
struct SessionReuseTests {
    let server: EchoServer

    init() throws {
        server = try EchoServer()
    }

    private func session() throws -> Session {
        var configuration = SessionConfiguration.default
        configuration.headers = ["User-Agent": "session"]
        configuration.cookies = .memory
        return try Session(configuration: configuration, loop: EventLoop())
    }

    private func request(
        _ method: RequestMethod = .get, host: String = "127.0.0.1", _ change: (inout Request) -> Void = { _ in }
    ) throws -> Request {
        let url = try #require(URL(string: "http://\(host):\(server.port)/path"))
        var request = Request(url: url, method: method)
        change(&request)
        return request
    }

    /// One of each kind, by what it has that the others have not.
    private func requests() throws -> [(name: String, request: Request)] {
        [
            ("plain", try request()),
            ("plain again", try request()),
            ("field", try request { $0.headers = ["X-Name": "value"] }),
            ("field in another spelling", try request { $0.headers = ["x-nAME": "value"] }),
            ("empty field", try request { $0.headers = ["X-Name": ""] }),
            ("replaced field", try request { $0.headers = ["User-Agent": "request"] }),
            ("HEAD", try request(.head)),
            ("DELETE", try request(.delete)),
            ("POST without a body", try request(.post)),
            ("POST", try request(.post) { $0.body = .data(Data("content".utf8)) }),
            ("PUT in chunks", try request(.put) { $0.body = .stream(length: nil) { ShortReader() } }),
            ("GET with a body", try request { $0.body = .data(Data("query".utf8)) }),
            ("Basic", try request { $0.credential = .basic(user: "user", password: "secret") }),
            ("Bearer", try request { $0.credential = .bearer(token: "token") }),
            ("user in the URL", try request(host: "name:password@127.0.0.1")),
            ("no compression", try request { $0.acceptsCompression = false }),
            ("no cookies", try request { $0.usesCookies = false }),
            ("time-outs", try request { $0.timeouts = Timeouts(connect: .seconds(50), total: .seconds(55)) }),
            ("fresh connection", try request { $0.usesFreshConnection = true }),
            ("address", try request(host: "a.invalid") { $0.addresses = [IPAddress("127.0.0.1")].compactMap(\.self) }),
            (
                "addresses",
                try request(host: "b.invalid") {
                    $0.addresses = ["127.0.0.1", "127.0.0.2"].compactMap(IPAddress.init)
                }
            ),
            ("another query", try request { $0.url.append(queryItems: [URLQueryItem(name: "q", value: "1")]) }),
        ]
    }

    @Test("each is, byte for byte, what it is on a session of its own, whatever came before it")
    func everyPair() async throws {
        let requests = try requests()
        var alone: [String] = []
        for (name, request) in requests {
            #expect(try await session().response(for: request).statusCode == 200, "\(name)")
            alone.append(server.takeRequests().joined())
        }
        #expect(Set(alone).count >= requests.count - 5)
        let session = try session()
        for (first, before) in requests.enumerated() {
            for (second, after) in requests.enumerated() {
                _ = try await session.response(for: before.request)
                _ = try await session.response(for: after.request)
                #expect(server.takeRequests() == [alone[first], alone[second]], "\(before.name), then \(after.name)")
            }
        }
    }

    @Test("many at once are each what it is alone, too")
    func together() async throws {
        let requests = try requests()
        var alone: [String] = []
        for (_, request) in requests {
            _ = try await session().response(for: request)
            alone.append(server.takeRequests().joined())
        }
        let session = try session()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                for (_, request) in requests {
                    group.addTask { try await session.response(for: request).statusCode }
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        let expected = (0..<4).flatMap { _ in alone }
        #expect(server.takeRequests().sorted() == expected.sorted())
    }

    @Test("after a request that failed, was cancelled or timed out, the next is as it is alone")
    func afterFailure() async throws {
        let silent = try SocketServer { $0.waitForEnd() }
        let session = try session()
        _ = try await session.response(for: request())
        let alone = server.takeRequests()
        var failing = Request(url: try #require(URL(string: "http://127.0.0.1:\(silent.port)/")), method: .put)
        failing.headers = ["X-Name": "value"]
        failing.timeouts.idle = .milliseconds(50)
        for body in [nil, RequestBody.data(Data("content".utf8))] {
            failing.body = body
            let error = await #expect(throws: RequestError.self) { try await session.response(for: failing) }
            #expect(error?.reason == .timedOut(.processing, after: .milliseconds(50)))
            let metrics = try await session.response(for: request()).metrics
            #expect(server.takeRequests() == alone)
            #expect(metrics.failedPhase == nil && metrics.remotePort == server.port)
        }
    }

    @Test("after requests that gave up waiting for a connection, the next are answered")
    func afterWaiting() async throws {
        let gate = SessionLimitTests.Gate()
        let slow = try SocketServer { connection in
            connection.readRequest()
            gate.pass()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        }
        var configuration = SessionConfiguration.default
        configuration.maximumConnectionsPerHost = 1
        let session = try Session(configuration: configuration, loop: EventLoop())
        let first = Request(url: try #require(URL(string: "http://127.0.0.1:\(slow.port)/")))
        async let answer = session.response(for: first)
        try await gate.wait(for: 1)
        for _ in 0..<3 {
            let waiting = session.dataTask(first)
            waiting.resume()
            try await expectSoon {
                if waiting.state == .completed { return true }
                return await session.runningTasks.contains(waiting.id)
            }
            waiting.cancel()
            let error = await #expect(throws: RequestError.self) { try await waiting.value }
            #expect(error?.reason == .cancelled)
        }
        gate.open()
        #expect(try await answer.statusCode == 200)
        for _ in 0..<3 { #expect(try await session.response(for: first).statusCode == 200) }
    }

    @Test("connections outlive a burst of requests: the next burst makes none")
    func bursts() async throws {
        var configuration = SessionConfiguration.default
        configuration.maximumConnectionsPerHost = 24
        let session = try Session(configuration: configuration, loop: EventLoop())
        let request = try request()
        var ports: Set<Int> = []
        for _ in 0..<20 {
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<24 { group.addTask { try await session.response(for: request).metrics.localPort } }
                for try await port in group { ports.insert(port ?? 0) }
            }
        }
        #expect(ports.count <= 24)
    }
}

/// Twelve bytes, in two pieces.
private struct ShortReader: BodyReader {
    private var pieces = ["first ", "second"]

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let piece = pieces.first else { return 0 }
        pieces.removeFirst()
        buffer.copyBytes(from: piece.utf8)
        return piece.utf8.count
    }
}
