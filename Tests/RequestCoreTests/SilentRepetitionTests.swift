import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

/// libcurl sends a request again, unasked, where its connection turns out to be dead.
@Suite("Requests that libcurl sends again by itself")
struct SilentRepetitionTests {
    private let session: Session

    init() throws {
        session = try Session(loop: EventLoop())
    }

    private func request(_ server: SocketServer, method: RequestMethod) throws -> Request {
        Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), method: method)
    }

    @Test("a lost connection makes no request go out again over another that was kept", arguments: ["POST", "GET"])
    func otherConnection(method: RequestMethod) async throws {
        let first = Mutex(0)
        let second = Mutex(0)
        let server = try SocketServer { connection in
            guard !connection.readRequest().isEmpty else { return }
            first.withLock { $0 += 1 }
            // Two answers at once are two connections.
            while first.withLock({ $0 }) < 2 { usleep(1000) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            if !connection.readRequest().isEmpty { second.withLock { $0 += 1 } }
        }
        let warmUp = try request(server, method: .get)
        async let other = session.response(for: warmUp)
        _ = try await (session.response(for: warmUp), other)
        let request = try request(server, method: method)
        let status = try? await session.response(for: request).statusCode
        #expect(status == (method.isIdempotent ? 200 : nil))
        #expect(second.withLock { $0 } == (method.isIdempotent ? 2 : 1))
    }

    // MARK: HTTP/2

    /// The frames that a server answers a request with on stream 1 (RFC 9113 section 4.1).
    enum Answer: String, CaseIterable {
        case goaway, refused, cancelled
    }

    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }

    private static func frame(_ answer: Answer) -> [UInt8] {
        switch answer {
        // The last stream it has looked at is none, and there was no error.
        case .goaway: frame(7, [UInt8](repeating: 0, count: 8))
        case .refused: frame(3, stream: 1, [0, 0, 0, 7])
        case .cancelled: frame(3, stream: 1, [0, 0, 0, 8])
        }
    }

    /// A server that answers so on its first connections, and with 200 on those after them.
    private func server(_ answer: Answer, times: Int, _ count: Counter) throws -> SocketServer {
        try SocketServer { connection in
            guard connection.readRequest().hasPrefix("PRI * HTTP/2.0") else { return }
            let number = count.next()
            connection.send(Self.frame(4))
            // What follows the preface: "SM", its empty lines, and the frames, the request's among them.
            usleep(100_000)
            let status: [UInt8] = [0x88]
            connection.send(number <= times ? Self.frame(answer) : Self.frame(1, flags: 5, stream: 1, status))
            connection.waitForEnd()
        }
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
        var value: Int { count.withLock { $0 } }
    }

    private func answer(
        _ method: RequestMethod, to answer: Answer, times: Int
    ) async throws -> (status: Int?, connections: Int) {
        let count = Counter()
        let server = try server(answer, times: times, count)
        var request = try request(server, method: method)
        request.body = method == .post ? .data(Data("once".utf8)) : nil
        request.httpVersion = .http2
        let status = try? await session.response(for: request).statusCode
        return (status, count.value)
    }

    @Test("what the server says it has not looked at goes out again, whatever the method", arguments: Answer.allCases)
    func refusedStream(answer: Answer) async throws {
        let (status, connections) = try await self.answer(.post, to: answer, times: 1)
        #expect(status == (answer == .cancelled ? nil : 200))
        #expect(connections == (answer == .cancelled ? 1 : 2))
    }

    @Test("but once only, unless the method may be repeated", arguments: ["POST", "GET"])
    func refusedTwice(method: RequestMethod) async throws {
        let (status, connections) = try await answer(method, to: .refused, times: 2)
        #expect(status == (method.isIdempotent ? 200 : nil))
        #expect(connections == (method.isIdempotent ? 3 : 2))
    }

    @Test("a server that takes its leave each time is a lost connection", arguments: ["POST", "GET"])
    func farewells(method: RequestMethod) async throws {
        let count = Counter()
        let server = try server(.goaway, times: .max, count)
        var request = try request(server, method: method)
        request.httpVersion = .http2
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        #expect(error?.reason == .connectionLost(received: 0, nil))
        #expect(count.value == 2)
    }
}
