import Glibc
import NetworkAddress

/// One message to a Unix socket of datagrams, as systemd's manager and its journal take them.
enum UnixDatagram {
    /// Sends a message, and waits for nothing.
    ///
    /// - Parameter path: An absolute path; `@` in front stands for an abstract name.
    /// - Returns: Whether it was taken.
    @discardableResult
    static func send(_ bytes: [UInt8], to path: String) -> Bool {
        guard let address = UnixAddress(path) else { return false }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let sent = unsafe address.withSocketAddress {
            unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT), $0, $1)
        }
        return sent == bytes.count
    }
}
