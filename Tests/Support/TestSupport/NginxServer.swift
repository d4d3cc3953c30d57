public import Foundation
import Glibc

/// An nginx of a test's own. It ends with the last reference to it.
public final class NginxServer: Sendable {
    public struct NotStarted: Error, CustomStringConvertible {
        let log: String
        public var description: String { "nginx did not start: \(log)" }
    }

    public let port: Int
    /// The folder of everything: `root` with the documents, `access.log`, `error.log`.
    public let directory: URL
    private let process: BackgroundProcess

    /// Whether nginx is installed; suites that need it are enabled by it.
    public static var isInstalled: Bool { access("/usr/sbin/nginx", X_OK) == 0 }

    /// Starts nginx and returns once it listens.
    ///
    /// - Parameters:
    ///   - namespace: Where it runs; nil for the test process's own loopback.
    ///   - port: Where it listens in plain HTTP, on both families; nil for one that is free.
    ///   - locations: What stands in the first server block.
    ///   - servers: More server blocks, for instance with `listen 443 ssl`.
    ///   - documents: Files below `root`, by path.
    public init(
        in namespace: TestNamespace? = nil, port: Int? = nil, locations: String = "", servers: String = "",
        documents: [String: Data] = [:]
    ) throws {
        self.port = try port ?? FreePort.next()
        directory = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)")
        let root = directory.appending(path: "root")
        for (path, content) in documents { try Self.write(content, to: root.appending(path: path)) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let file = directory.appending(path: "nginx.conf")
        try Self.configuration(directory.path, self.port, locations, servers)
            .write(to: file, atomically: false, encoding: .utf8)
        let command = ["/usr/sbin/nginx", "-e", directory.path + "/error.log", "-c", file.path]
        process = try BackgroundProcess((namespace?.enter ?? []) + command)
        try waitUntilListening()
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: directory)
    }

    /// The lines of the access log: method, path, protocol, status, bytes of body, connection number.
    public var accessLog: [String] {
        let text = try? String(contentsOf: directory.appending(path: "access.log"), encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    /// nginx writes its process ID once it listens on every port, whatever namespace they are in.
    private func waitUntilListening() throws {
        if process.becomesReady({ access(directory.path + "/nginx.pid", R_OK) == 0 }) { return }
        let log = try? String(contentsOf: directory.appending(path: "error.log"), encoding: .utf8)
        throw NotStarted(log: log ?? "no log")
    }

    private static func write(_ content: Data, to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
    }

    private static func configuration(
        _ directory: String, _ port: Int, _ locations: String, _ servers: String
    ) -> String {
        """
        daemon off;
        worker_processes 1;
        user root;
        pid \(directory)/nginx.pid;
        events { worker_connections 512; }
        http {
            log_format test '$request_method $uri $server_protocol $status $body_bytes_sent $connection';
            access_log \(directory)/access.log test;
            error_log \(directory)/error.log;
            client_body_temp_path \(directory)/body;
            proxy_temp_path \(directory)/proxy;
            fastcgi_temp_path \(directory)/fastcgi;
            uwsgi_temp_path \(directory)/uwsgi;
            scgi_temp_path \(directory)/scgi;
            default_type application/octet-stream;
            keepalive_requests 1000000;
            keepalive_timeout 1h;
            root \(directory)/root;
            server {
                listen \(port);
                listen [::]:\(port);
                \(locations)
            }
            \(servers)
        }
        """
    }
}
