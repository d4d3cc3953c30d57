internal import Glibc
internal import NetworkAddress
internal import SystemPackage

/// One connection to a service of this host that speaks varlink: JSON objects, each with a zero byte after it.
///
/// It never waits, and closes with its last reference.
final class VarlinkSocket: Sendable {
    let descriptor: CInt

    /// An answer longer than this is none.
    static let mostBytes = 256 << 10

    /// Connects, which on this host is done at once or not at all.
    init(path: String) throws(Errno) {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        guard let address = UnixAddress(path) else { throw .fileNameTooLong }
        let status = unsafe address.withSocketAddress { unsafe connect(descriptor, $0, $1) }
        guard status == 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sends a message, which is far shorter than what a fresh connection takes at once.
    func send(_ message: [UInt8]) throws(Errno) {
        let count = unsafe Glibc.send(descriptor, message + [0], message.count + 1, CInt(MSG_NOSIGNAL))
        guard count >= 0 else { throw Errno(rawValue: errno) }
        guard count == message.count + 1 else { throw .noBufferSpace }
    }

    /// Reads what is there; nil while there is nothing.
    func read() throws(Errno) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        guard count >= 0 else { throw Errno(rawValue: errno) }
        guard count > 0 else { throw .connectionReset }
        return Array(buffer.prefix(count))
    }
}
