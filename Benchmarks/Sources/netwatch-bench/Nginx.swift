import Foundation

/// An nginx on loopback that answers `ok` over kept connections, and has 1 GiB at `/large`. It ends with the last reference to it.
final class Nginx {
    let port = 18_080
    private let process = Process()
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "nginx.conf")
        try """
        daemon off;
        worker_processes 1;
        user root;
        pid \(folder.path)/pid;
        events { worker_connections 1024; }
        http {
            access_log off;
            error_log \(folder.path)/error.log;
            keepalive_requests 100000000;
            client_body_temp_path \(folder.path)/body;
            server {
                listen \(port);
                location / { return 200 ok; }
                location /large { alias \(folder.path)/large; sendfile on; }
            }
        }
        """.write(to: file, atomically: false, encoding: .utf8)
        // All holes: it takes no room and is read as quickly as memory.
        let large = creat(folder.path + "/large", 0o644)
        ftruncate(large, 1 << 30)
        close(large)
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
        process.arguments = ["-e", folder.path + "/error.log", "-c", file.path]
        try process.runSignalled()
        // It writes its process ID once it listens.
        for _ in 0..<2000 where access(folder.path + "/pid", R_OK) != 0 { usleep(5_000) }
    }

    deinit {
        process.terminate()
        for _ in 0..<5000 where process.isRunning { usleep(1000) }
        try? FileManager.default.removeItem(at: folder)
    }
}
