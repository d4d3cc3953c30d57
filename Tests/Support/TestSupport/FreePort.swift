import Glibc
import Synchronization
import SystemPackage

/// Ports of the test process's own loopback.
public enum FreePort {
    /// Below those that the kernel takes for connections (ip_local_port_range), of which it may hand out one twice, and give
    /// one to a connection while the server that listened there is started anew.
    private static let all = 20_000..<32_768
    /// Where the last one was found; at first anywhere, so that two test processes seldom look at the same.
    private static let last = Mutex(Int.random(in: all))

    /// A TCP port that no program listens on, and that no other test is given.
    public static func next() throws -> Int {
        for _ in all {
            let port = last.withLock { last in
                last = last + 1 < all.upperBound ? last + 1 : all.lowerBound
                return last
            }
            if try SocketServer.isFree(port) { return port }
        }
        throw Errno.addressInUse
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
