import EventLoop
import Foundation
import Glibc
import RequestCore
import Synchronization
import TestSupport
import Testing

/// A connection that is kept for the next request goes on being watched, and a server closes it when it likes.
@Suite("A connection that the server closes while it rests")
struct SessionIdleConnectionTests {
    @Test("is given up: nothing of it is watched any more, and the next request goes over a fresh one")
    func closedWhileItRests() async throws {
        let server = try KeepingServer()
        let session = try Session(loop: EventLoop())
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))

        let first = try await session.response(for: request)
        let socket = try ConnectedSocket(
            localPort: try #require(first.metrics.localPort), remotePort: server.port)
        #expect(socket.isWatched, "it rests, and so does its watch")
        server.endConnections()
        try await expectSoon("the end of the closed connection's watch") { !socket.isWatched }

        let second = try await session.response(for: request)
        #expect(second.statusCode == 200)
        #expect(!second.metrics.isConnectionReused)
        #expect(second.metrics.localPort != first.metrics.localPort)
        try await expectSoon("the closed connection's descriptor to be closed") { !socket.isOpen }

        let third = try await session.response(for: request)
        #expect(third.metrics.isConnectionReused)
        #expect(third.metrics.localPort == second.metrics.localPort)
    }

    @Test("nothing is lost if it is reset: whatever the method, the next request goes over a fresh one")
    func resetWhileItRests() async throws {
        let isSeen = Mutex(false)
        let server = try SocketServer { connection in
            guard connection.readRequest().hasSuffix("\r\n\r\n") else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            while !isSeen.withLock({ $0 }) { usleep(1000) }
            connection.resetOnClose()
        }
        let session = try Session(loop: EventLoop())
        for method in [RequestMethod.get, .post, .get] {
            isSeen.withLock { $0 = false }
            let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), method: method)
            let answer = try await session.response(for: request)
            #expect(answer.statusCode == 200 && !answer.metrics.isConnectionReused)
            let socket = try ConnectedSocket(
                localPort: try #require(answer.metrics.localPort), remotePort: server.port)
            isSeen.withLock { $0 = true }
            try await expectSoon("the end of the connection's watch") { !socket.isWatched }
        }
    }

    @Test(
        "is given up if it sends something: that is no answer to the next request",
        arguments: [("1.1", 0), ("1.1", 1 << 20), ("1.0", 0)])
    func speaksWhileItRests(version: String, length: Int) async throws {
        let isSeen = Mutex(false)
        let unasked = "HTTP/1.1 408 Request Timeout\r\nContent-Length: \(length)\r\n\r\n"
        let server = try SocketServer { connection in
            while connection.readRequest().hasSuffix("\r\n\r\n") {
                let header = "HTTP/\(version) 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n"
                connection.send(header + "ok")
                while !isSeen.withLock({ $0 }) { usleep(1000) }
                connection.send(unasked)
                connection.send([UInt8](repeating: 120, count: length))
            }
        }
        let session = try Session(loop: EventLoop())
        for method in [RequestMethod.get, .get, .post] {
            isSeen.withLock { $0 = false }
            let request = Request(
                url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), method: method)
            let answer = try await session.response(for: request)
            #expect(answer.statusCode == 200 && !answer.metrics.isConnectionReused)
            let socket = try ConnectedSocket(
                localPort: try #require(answer.metrics.localPort), remotePort: server.port)
            isSeen.withLock { $0 = true }
            try await expectSoon("the end of the connection's watch") { !socket.isWatched }
        }
    }

    @Test("is not given up where a request that waited for it is suspended in the midst of its answer")
    func suspendedAfterWaiting() async throws {
        let isSuspended = Mutex(false)
        let requests = Mutex(0)
        let server = try SocketServer { connection in
            while connection.readRequest().hasSuffix("\r\n\r\n") {
                let number = requests.withLock { count in
                    count += 1
                    return count
                }
                usleep(200_000)
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe")
                while number == 2, !isSuspended.withLock({ $0 }) { usleep(1000) }
                connection.send("llo")
            }
        }
        var configuration = SessionConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let session = try Session(configuration: configuration, loop: EventLoop())
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        let (first, second) = (session.dataTask(request), session.dataTask(request))
        first.resume()
        try await expectSoon("the first request") { requests.withLock { $0 } == 1 }
        second.resume()
        try await expectSoon("the second request") { requests.withLock { $0 } == 2 }
        try await Task.sleep(for: .milliseconds(400))
        second.suspend()
        try await Task.sleep(for: .milliseconds(100))
        isSuspended.withLock { $0 = true }
        try await Task.sleep(for: .milliseconds(200))
        second.resume()
        #expect(try await first.value.body == Data("hello".utf8))
        #expect(try await second.value.body == Data("hello".utf8))
    }
}

/// A server that keeps every connection until it is told to end them.
private final class KeepingServer: Sendable {
    private let server: SocketServer
    private let connections: Connections

    private final class Connections: Sendable {
        let descriptors = Mutex<[CInt]>([])
    }

    init() throws {
        let connections = Connections()
        self.connections = connections
        server = try SocketServer { connection in
            connections.descriptors.withLock { $0.append(connection.descriptor) }
            while connection.readRequest().hasSuffix("\r\n\r\n") {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            connections.descriptors.withLock { $0.removeAll { $0 == connection.descriptor } }
        }
    }

    var port: Int { server.port }

    func endConnections() {
        connections.descriptors.withLock { $0.forEach { shutdown($0, CInt(SHUT_RDWR)) } }
    }
}

/// A TCP socket of this process, as the kernel tells of it.
private struct ConnectedSocket {
    private let inode: UInt

    init(localPort: Int, remotePort: Int) throws {
        let descriptor = try #require(
            Self.entries(of: "/proc/self/fd").compactMap { CInt($0.lastPathComponent) }.first { descriptor in
                Self.port(descriptor, getsockname) == localPort && Self.port(descriptor, getpeername) == remotePort
            })
        var status = stat()
        #expect(fstat(descriptor, &status) == 0)
        inode = UInt(status.st_ino)
    }

    private static func port(
        _ descriptor: CInt, _ end: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> Int? {
        var address = sockaddr_in()
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { end(descriptor, $0, &count) }
        }
        guard result == 0, address.sin_family == AF_INET else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Whether a descriptor of this process is this socket.
    var isOpen: Bool {
        Self.entries(of: "/proc/self/fd").contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: $0.path)) == "socket:[\(inode)]"
        }
    }

    /// Whether an epoll instance of this process has it on its list (proc(5), fdinfo: `tfd: … ino:HEX …`).
    var isWatched: Bool {
        let name = "ino:" + String(inode, radix: 16)
        return Self.entries(of: "/proc/self/fdinfo").contains { file in
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").contains {
                $0.hasPrefix("tfd:") && $0.split(separator: " ").contains { $0 == name }
            }
        }
    }

    /// Others open and close descriptors meanwhile: what is gone is passed over.
    private static func entries(of folder: String) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map { URL(fileURLWithPath: "\(folder)/\($0)") }
    }
}
