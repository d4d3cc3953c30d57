import CLinux
import EventLoop
import Glibc
import NetworkAddress
package import SystemPackage

/// A connection to a Unix socket, whose calls block: for the program's own commands, which do nothing else meanwhile.
package final class UnixConnection {
    private let descriptor: CInt
    /// When all is to have come; nil for as long as it takes.
    private let end: MonotonicTime?

    /// - Parameter patience: How long all of it may take; nil for as long as it takes.
    package init(_ path: String, patience: Duration? = nil) throws(Errno) {
        guard let address = UnixAddress(path) else { throw .fileNameTooLong }
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        end = patience.map { MonotonicTime.now.advanced(by: $0) }
        // With all of the properties set deinit closes the descriptor.
        if let patience { try limitCalls(to: patience) }
        // With a limit a program that is stopped and goes on finds the call broken off (signal(7)).
        while unsafe address.withSocketAddress({ unsafe Glibc.connect(descriptor, $0, $1) }) != 0 {
            guard errno == EINTR else { throw Errno(rawValue: errno) }
        }
    }

    /// A service that stands still accepts no connection: once its backlog is full, connect(2) would wait without an end.
    private func limitCalls(to patience: Duration) throws(Errno) {
        let (seconds, attoseconds) = patience.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        let length = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, length) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    package func send(_ text: String) throws(Errno) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Errno(rawValue: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// The bytes that have come, after waiting for some; none at the end.
    ///
    /// - Throws: `Errno.resourceTemporarilyUnavailable` where the time is over.
    package func receive() throws(Errno) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let rest = rest
            // Also where bytes are there: they could trickle in for ever.
            guard rest != 0 else { throw .resourceTemporarilyUnavailable }
            let ready = unsafe poll(&query, 1, rest)
            if ready < 0, errno == EINTR { continue }
            guard ready != 0 else { throw .resourceTemporarilyUnavailable }
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Errno(rawValue: errno) }
            return Array(buffer[..<count])
        }
    }

    /// What is left of the time in milliseconds, rounded up; negative for as long as it takes.
    private var rest: CInt {
        guard let end else { return -1 }
        let (seconds, attoseconds) = max(MonotonicTime.now.duration(to: end), .zero).components
        return CInt(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// Whether bytes or the end came before standard output's reader went away.
    package func waitForBytesOrClosedOutput() -> Bool {
        var queries = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: 1, events: 0, revents: 0),
        ]
        while unsafe poll(&queries, 2, -1) < 0 && errno == EINTR {}
        return queries[1].revents & Int16(POLLERR | POLLHUP) == 0
    }
}
