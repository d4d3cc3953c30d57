import Glibc
import NetworkAddress

/// One message to a Unix socket of datagrams, as systemd's manager and its journal take them.
enum UnixDatagram {
    /// What becomes of a message.
    enum Fate: Hashable, Sendable {
        case taken
        /// The receiver is behind: it may have room for it later.
        case full
        case failed
    }

    /// Sends a message, and waits for nothing.
    ///
    /// - Parameter path: An absolute path; `@` in front stands for an abstract name.
    @discardableResult
    static func send(_ bytes: [UInt8], to path: String) -> Fate {
        guard let address = UnixAddress(path) else { return .failed }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return .failed }
        defer { close(descriptor) }
        errno = 0
        let sent = unsafe address.withSocketAddress {
            unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT), $0, $1)
        }
        if sent == bytes.count { return .taken }
        return errno == EAGAIN || errno == ENOBUFS ? .full : .failed
    }
}
