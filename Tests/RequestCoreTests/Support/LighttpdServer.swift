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
        try FreePort.waitForListener("-t", "sport = :\(port)")
    }

    func url(_ path: String) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
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
