import EventLoop
import Foundation
import RequestCore
import Synchronization
import TestSupport
import Testing

@Suite("The progress of an answer")
struct TransferProgressTests {
    /// What is told of the body of an answer to a request that may be redirected or tried again.
    private func progress(
        _ retriers: [any RequestRetrier] = [], begun: Signal? = nil,
        _ script: @escaping @Sendable (SocketServer.Connection) -> Void
    ) async throws -> [TransferProgress] {
        let server = try SocketServer(script)
        var configuration = SessionConfiguration()
        configuration.interceptors = [Attempts(retriers: retriers)]
        let session = HTTPSession(session: try Session(configuration: configuration, loop: EventLoop()))
        let told = Mutex<[TransferProgress]>([])
        _ = try await session.get(
            "http://127.0.0.1:\(server.port)/", as: HTTPResponseSerializer(),
            progress: ProgressHandlers(download: { progress in
                told.withLock { $0.append(progress) }
                begun?.fire()
            }))
        return told.withLock { $0 }
    }

    private static let text = String(repeating: "y", count: 100_000)

    @Test("comes to its end although the last bytes of what is packed unpack to nothing")
    func packed() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Array(Self.text.utf8), to: "text")
        try Command.run(["gzip", "\(file)"])
        let packed = Array(try Data(contentsOf: URL(filePath: "\(file).gz")))
        let begun = try Signal()
        let told = try await progress(begun: begun) { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
            // The digest and the length come in a packet of their own.
            connection.send(Array(packed.dropLast(8)))
            begun.wait()
            connection.send(Array(packed.suffix(8)))
            connection.waitForEnd()
        }
        #expect(told.last?.fraction == 1)
        #expect(told.last?.decoded == Int64(Self.text.utf8.count))
        #expect(Set(told).count == told.count)
    }

    @Test("of chunks counts each as it comes, the last one too")
    func chunked() async throws {
        let begun = try Signal()
        let told = try await progress(begun: begun) { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            begun.wait()
            connection.send("6\r\n world\r\n0\r\n\r\n")
            connection.waitForEnd()
        }
        #expect(told.map(\.completed) == [5, 11])
        #expect(told.map(\.decoded) == [5, 11])
    }

    @Test("is that of the answer alone, and not of a redirect on the way", arguments: [301, 302, 303, 307, 308])
    func redirected(status: Int) async throws {
        let told = try await progress { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 \(status) X\r\nLocation: /next\r\nContent-Length: 3\r\n\r\nold")
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.text.utf8.count)\r\n\r\n\(Self.text)")
            connection.waitForEnd()
        }
        #expect(told.map(\.completed) == told.map(\.completed).sorted())
        #expect(told.allSatisfy { $0.total == Int64(Self.text.utf8.count) } && told.last?.fraction == 1)
    }

    @Test("is not of an answer after which the request is sent again")
    func repeated() async throws {
        let policy = RetryPolicy { $0.backoff.base = .zero }
        let told = try await progress([policy]) { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 503 X\r\nContent-Length: 3\r\n\r\nold")
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            connection.waitForEnd()
        }
        #expect(told == [TransferProgress(completed: 5, total: 5, decoded: 5)])
    }
}
