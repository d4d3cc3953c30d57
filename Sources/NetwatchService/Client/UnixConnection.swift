import CLinux
import Glibc
import NetworkAddress
package import SystemPackage

/// A connection to a Unix socket, whose calls block: for the program's own commands, which do nothing else meanwhile.
package final class UnixConnection {
    private let descriptor: CInt
    /// In milliseconds; negative for as long as it takes.
    private let patience: CInt

    /// - Parameter patience: How long to wait for bytes; nil for as long as it takes.
    package init(_ path: String, patience: Duration? = nil) throws(Errno) {
        guard let address = UnixAddress(path) else { throw .fileNameTooLong }
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        self.patience = patience.map { CInt(clamping: $0.components.seconds * 1000) } ?? -1
        // With all of the properties set deinit closes the descriptor.
        guard unsafe address.withSocketAddress({ unsafe Glibc.connect(descriptor, $0, $1) }) == 0 else {
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
    /// - Throws: `Errno.resourceTemporarilyUnavailable` where none came in time.
    package func receive() throws(Errno) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&query, 1, patience)
            if ready < 0, errno == EINTR { continue }
            guard ready != 0 else { throw .resourceTemporarilyUnavailable }
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Errno(rawValue: errno) }
            return Array(buffer[..<count])
        }
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
