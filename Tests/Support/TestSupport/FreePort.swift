import Glibc
import SystemPackage

/// Ports of the test process's own loopback.
public enum FreePort {
    /// A TCP port that nobody listens on, and that the kernel does not hand out again soon.
    public static func next() throws -> Int {
        let listener = try SocketServer.listen()
        defer { close(listener) }
        return try SocketServer.port(of: listener)
    }
}
