import Glibc
import SystemPackage

/// The file of a Unix socket, before and after its server.
package enum UnixSocket {
    /// Where the program's own commands look for the service.
    package static let usualPath = usualFolder + "/http.sock"
    private static let usualFolder = "/run/netwatch"

    /// Its owner and its group may ask.
    private static let mode: mode_t = 0o660

    /// The usual path, with its folder made if it was missing; nil where this user may not.
    package static func preparedUsualPath() -> String? {
        if mkdir(usualFolder, 0o755) != 0, errno != EEXIST { return nil }
        return access(usualFolder, W_OK) == 0 ? usualPath : nil
    }

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
        unlink(path)
    }

    /// Lets the socket's group ask, once it is there.
    static func open(_ path: String) {
        chmod(path, mode)
    }

    static func remove(_ path: String) {
        unlink(path)
    }
}
