import Glibc
import SystemPackage

/// Ports of the test process's own loopback.
public enum FreePort {
    /// A TCP port that no program listens on, and that the kernel does not hand out again soon.
    public static func next() throws -> Int {
        let listener = try SocketServer.listen()
        defer { close(listener) }
        return try SocketServer.port(of: listener)
    }

    /// Waits until a program listens on a port of 127.0.0.1.
    public static func waitForListener(_ port: Int) throws {
        for _ in 0..<2000 {
            if try SocketServer.connects(to: port) { return }
            usleep(5_000)
        }
        throw Errno.timedOut
    }

    /// Waits until a program listens, without connecting to it.
    ///
    /// - Parameters:
    ///   - kind: `-t` for TCP, `-u` for UDP.
    ///   - place: Where, in the words of ss(8): `sport = :53`.
    public static func waitForListener(_ kind: String, _ place: String, in namespace: TestNamespace? = nil) throws {
        let command = (namespace?.enter ?? []) + ["ss", "-Hln", kind, place]
        for _ in 0..<2000 {
            if try !Command.run(command).isEmpty { return }
            usleep(5_000)
        }
        throw Errno.timedOut
    }
}
