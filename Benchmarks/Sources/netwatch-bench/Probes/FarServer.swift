import Foundation

/// An nginx behind both uplinks, at one address that the best leads to and, where there is to be a spare, the other too. It
/// ends with the last reference to it.
final class FarServer {
    private let process: Program
    private let folder: URL

    init(behind uplinks: Uplinks, at address: String, hasSpare: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "far-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.path + "/nginx.conf"
        try """
        daemon off;
        user root;
        pid \(folder.path)/pid;
        events { worker_connections 4096; }
        http {
            access_log off;
            error_log \(folder.path)/error.log;
            client_body_temp_path \(folder.path)/body;
            server { listen 80; location / { return 204; } }
        }
        """.write(toFile: file, atomically: false, encoding: .utf8)
        let peer = ["nsenter", "--net=/proc/\(uplinks.peerID)/ns/net"]
        try command(peer + ["ip", "link", "set", "lo", "up"])
        try command(peer + ["ip", "address", "add", "\(address)/32", "dev", "lo"])
        for number in 0...1 {
            try command(peer + ["ip", "address", "add", "10.\(number + 1).0.2/24", "dev", "p\(number)"])
        }
        if hasSpare { try command("ip", "route", "add", "default", "via", "10.2.0.2", "dev", "w1", "metric", "200") }
        process = try Program(
            peer + ["/usr/sbin/nginx", "-e", folder.path + "/error.log", "-c", file], name: "nginx")
        for _ in 0..<2000 where access(folder.path + "/pid", R_OK) != 0 { usleep(5_000) }
    }

    deinit {
        process.end()
        try? FileManager.default.removeItem(at: folder)
    }
}
