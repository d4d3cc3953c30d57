import Glibc
import TestSupport

/// A way to a server on loopback on which everything from the client is under way for a while; the answers come at once.
final class DelayLine: Sendable {
    private let server: SocketServer
    var port: Int { server.port }

    init(to port: Int, milliseconds: Int) throws {
        server = try SocketServer { connection in
            guard let far = try? SocketServer.connect(to: port) else { return }
            defer { close(far) }
            var line = Line(near: connection.descriptor, far: far, delay: Int64(milliseconds) * 1_000_000)
            while line.turn() {}
        }
    }
}

/// One connection's two directions.
private struct Line {
    let near: CInt
    let far: CInt
    let delay: Int64
    private var late: [(due: Int64, bytes: [UInt8])] = []

    init(near: CInt, far: CInt, delay: Int64) {
        self.near = near
        self.far = far
        self.delay = delay
    }

    /// Waits for something to come or to become due and passes it on; false at the end.
    mutating func turn() -> Bool {
        var sockets = [
            pollfd(fd: near, events: Int16(POLLIN), revents: 0), pollfd(fd: far, events: Int16(POLLIN), revents: 0),
        ]
        let wait = late.first.map { max(0, $0.due - Self.now) }
        let timeout = wait.map { CInt(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        guard poll(&sockets, 2, timeout) >= 0 || errno == EINTR else { return false }
        while let first = late.first, first.due <= Self.now {
            guard send(first.bytes, far) else { return false }
            late.removeFirst()
        }
        if sockets[1].revents != 0 {
            guard let bytes = receive(far), send(bytes, near) else { return false }
        }
        if sockets[0].revents != 0 {
            guard let bytes = receive(near) else { return false }
            late.append((Self.now + delay, bytes))
        }
        return true
    }

    private func receive(_ descriptor: CInt) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func send(_ bytes: [UInt8], _ descriptor: CInt) -> Bool {
        SocketServer.Connection(descriptor: descriptor).send(bytes)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
