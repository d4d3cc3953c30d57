internal import Glibc
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
        guard var address = sockaddr_un(path: path) else { throw .fileNameTooLong }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sends a message, which is far shorter than what a fresh connection takes at once.
    func send(_ message: [UInt8]) throws(Errno) {
        let count = Glibc.send(descriptor, message + [0], message.count + 1, CInt(MSG_NOSIGNAL))
        guard count >= 0 else { throw Errno(rawValue: errno) }
        guard count == message.count + 1 else { throw .noBufferSpace }
    }

    /// Reads what is there; nil while there is nothing.
    func read() throws(Errno) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        guard count >= 0 else { throw Errno(rawValue: errno) }
        guard count > 0 else { throw .connectionReset }
        return Array(buffer.prefix(count))
    }
}

extension sockaddr_un {
    /// The address of a socket in the file system; nil where the path is too long for one (unix(7)).
    fileprivate init?(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &sun_path) { buffer in
            guard path.utf8.count < buffer.count else { return false }
            buffer.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { return nil }
    }
}
