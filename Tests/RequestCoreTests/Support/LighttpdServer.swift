import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// A lighttpd that asks for authentication: `/basic` and `/digest` for user `user` with password `secret`.
struct LighttpdServer {
    static var isInstalled: Bool { access("/usr/sbin/lighttpd", X_OK) == 0 }

    let port: Int
    private let folder: TemporaryFolder
    private let process: BackgroundProcess

    init() throws {
        port = try FreePort.next()
        folder = try TemporaryFolder()
        let path = folder.path.string
        for name in ["basic", "digest"] {
            try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
            try "\(name) ok".write(toFile: "\(path)/\(name)/index", atomically: true, encoding: .utf8)
        }
        try "user:secret\n".write(toFile: "\(path)/users", atomically: true, encoding: .utf8)
        try Self.configuration(path, port).write(toFile: "\(path)/conf", atomically: true, encoding: .utf8)
        process = try BackgroundProcess(["/usr/sbin/lighttpd", "-D", "-f", "\(path)/conf"])
        try waitUntilListening()
    }

    func url(_ path: String) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
    }

    /// The statuses of all requests so far.
    var statuses: [String] {
        let log = (try? String(contentsOfFile: "\(folder.path.string)/access.log", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map(String.init)
    }

    private func waitUntilListening() throws {
        for _ in 0..<1000 {
            if try Command.run(["ss", "-Hltn", "sport = :\(port)"]).contains(":\(port)") { return }
        }
        Issue.record("lighttpd does not listen: \(process.output)")
    }

    private static func configuration(_ path: String, _ port: Int) -> String {
        """
        server.modules = ("mod_auth", "mod_authn_file", "mod_accesslog")
        server.document-root = "\(path)"
        server.bind = "127.0.0.1"
        server.port = \(port)
        index-file.names = ("index")
        accesslog.filename = "\(path)/access.log"
        accesslog.format = "%s"
        auth.backend = "plain"
        auth.backend.plain.userfile = "\(path)/users"
        auth.require = (
            "/basic" => ("method" => "basic", "realm" => "here", "require" => "valid-user"),
            "/digest" => ("method" => "digest", "realm" => "there", "require" => "valid-user")
        )
        """
    }
}
