import CLinux
import Glibc
import NetworkAddress
import Synchronization
import SystemPackage

/// The file of a Unix socket, before and after its server.
final class UnixSocket: Sendable {
    /// Its owner and its group may ask.
    private static let mode: mode_t = 0o660

    private let path: FilePath
    /// The file that was bound: while it is open, no other has its number.
    private let own = Mutex<FileDescriptor?>(nil)

    /// Removes what a server has left that did not end in order.
    ///
    /// - Throws: ``ListenError`` where something listens there, or where something else than a socket is.
    init(_ path: String) throws(ListenError) {
        self.path = FilePath(path)
        guard let type = try? self.path.stat(followTargetSymlink: false).type else { return }
        guard type == .socket else { throw ListenError(endpoint: .unix(path), errno: ENOTSOCK) }
        switch Self.answer(at: path) {
        // Nothing has it open any more.
        case ECONNREFUSED: unsafe unlink(path)
        case ENOENT: break
        // One that takes no more connections for now is there all the same.
        case 0, EAGAIN: throw ListenError(endpoint: .unix(path), errno: EADDRINUSE)
        case let code: throw ListenError(endpoint: .unix(path), errno: code)
        }
    }

    deinit {
        try? own.withLock { $0 }?.close()
    }

    /// Lets the socket's group ask, once it is there.
    func open() {
        unsafe chmod(path.string, Self.mode)
        let file = unsafe Glibc.open(path.string, NETWATCH_O_PATH | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return }
        own.withLock { $0 = FileDescriptor(rawValue: file) }
    }

    /// Removes it, unless it is another server's by now.
    func remove() {
        guard let file = own.withLock({ $0 }), let bound = try? file.stat(),
            let there = try? path.stat(followTargetSymlink: false),
            bound.deviceID == there.deviceID, bound.inode == there.inode
        else { return }
        unsafe unlink(path.string)
    }

    /// What connect(2) says there, which never waits: 0 where a server takes the connection.
    private static func answer(at path: String) -> CInt {
        guard let address = UnixAddress(path) else { return ENAMETOOLONG }
        let flags = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, flags, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let isTaken = unsafe address.withSocketAddress { unsafe connect(descriptor, $0, $1) } == 0
        return isTaken ? 0 : errno
    }
}
