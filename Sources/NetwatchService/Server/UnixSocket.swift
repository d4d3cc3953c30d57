import Glibc
import SystemPackage

/// The file of a Unix socket, before and after its server.
enum UnixSocket {
    /// Its owner and its group may ask.
    private static let mode: mode_t = 0o660

    /// Removes what a server has left that did not end in order.
    ///
    /// - Throws: ``ListenError`` where another server answers there, or where something else is.
    static func clear(_ path: String) throws(ListenError) {
        guard let type = try? FilePath(path).stat(followTargetSymlink: false).type else { return }
        guard type == .socket else { throw ListenError(endpoint: .unix(path), errno: ENOTSOCK) }
        if let other = try? UnixConnection(path) {
            withExtendedLifetime(other) {}
            throw ListenError(endpoint: .unix(path), errno: EADDRINUSE)
        }
        unsafe unlink(path)
    }

    /// Lets the socket's group ask, once it is there.
    static func open(_ path: String) {
        unsafe chmod(path, mode)
    }

    static func remove(_ path: String) {
        unsafe unlink(path)
    }
}
