import Foundation
import Glibc
import SystemPackage

/// A mosquitto of a test's own on loopback, which publishes what it is told to. It ends with the last reference to it.
public final class MosquittoServer: Sendable {
    public struct NotStarted: Error, CustomStringConvertible {
        let log: String
        public var description: String { "mosquitto did not start: \(log)" }
    }

    public let port: Int
    private let folder: TemporaryFolder
    private let process: BackgroundProcess

    public static var isInstalled: Bool { access("/usr/sbin/mosquitto", X_OK) == 0 }

    /// - Parameters:
    ///   - namespace: Where it runs; nil for the test process's own loopback.
    ///   - port: Where it listens; nil for a free port.
    ///   - options: Further lines of its configuration, after those of the listener.
    ///   - isOpen: Whether it takes clients without a name.
    public init(
        in namespace: TestNamespace? = nil, port: Int? = nil, options: String = "", isOpen: Bool = true
    ) throws {
        self.port = try port ?? FreePort.next()
        folder = try TemporaryFolder()
        let text = """
            listener \(self.port) 127.0.0.1
            allow_anonymous \(isOpen)
            persistence false
            user root
            \(options)

            """
        let file = try folder.write(text.utf8, to: "mosquitto.conf")
        process = try BackgroundProcess((namespace?.enter ?? []) + ["/usr/sbin/mosquitto", "-c", file.string])
        guard process.becomesReady({ process.output.contains("running") }) else {
            throw NotStarted(log: process.output)
        }
    }

    deinit {
        process.terminate()
    }

    public func stop() { process.terminate() }

    /// A file of passwords for it.
    public static func passwordFile(_ user: String, _ password: String, in folder: TemporaryFolder) throws -> String {
        let file = folder.path.appending("passwords").string
        try Command.run(["mosquitto_passwd", "-b", "-c", file, user, password])
        return file
    }
}
