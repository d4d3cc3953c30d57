import Foundation
import Glibc

/// A proxy of a test's own, on the test process's loopback: tinyproxy for HTTP, microsocks for SOCKS 5. It ends with the
/// last reference to it.
public final class ProxyServer: Sendable {
    public enum Kind: String, Sendable {
        case http = "/usr/bin/tinyproxy"
        case socks5 = "/usr/bin/microsocks"
    }

    public let port: Int
    private let process: BackgroundProcess
    private let directory: URL

    public static var areInstalled: Bool {
        [Kind.http, .socks5].allSatisfy { access($0.rawValue, X_OK) == 0 }
    }

    /// Starts a proxy and returns once it listens. With a user it asks for the password.
    public init(_ kind: Kind, user: String? = nil, password: String = "") throws {
        port = try FreePort.next()
        directory = FileManager.default.temporaryDirectory.appending(path: "proxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let credentials = user.map { ($0, password) }
        switch kind {
        case .http:
            let file = directory.appending(path: "tinyproxy.conf")
            let authorization = credentials.map { "BasicAuth \($0) \($1)\n" } ?? ""
            try """
            Port \(port)
            Listen 127.0.0.1
            Timeout 30
            LogFile "\(directory.path)/log"
            LogLevel Connect
            MaxClients 50
            \(authorization)
            """.write(to: file, atomically: false, encoding: .utf8)
            process = try BackgroundProcess([kind.rawValue, "-d", "-c", file.path])
        case .socks5:
            let authorization = credentials.map { ["-u", $0, "-P", $1] } ?? []
            process = try BackgroundProcess([kind.rawValue, "-i", "127.0.0.1", "-p", "\(port)"] + authorization)
        }
        try FreePort.waitForListener(port)
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: directory)
    }

    /// What tinyproxy has logged: every request line.
    public var log: String {
        (try? String(contentsOf: directory.appending(path: "log"), encoding: .utf8)) ?? ""
    }
}
