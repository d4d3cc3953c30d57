import Foundation

/// An nginx that answers probes with 204, over HTTP and over HTTPS with a certificate of an authority of its own. The
/// authority stands behind the system's in one bundle, so that it is found as any other.
final class ProbedServer {
    let port = 18_081
    let securePort = 18_444
    /// The system's authorities and the server's.
    let bundle: String
    private let process: Program
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "probed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        bundle = folder.path + "/bundle.pem"
        try command("sh", "-ec", Self.certificates, folder.path)
        let file = folder.path + "/nginx.conf"
        try Self.configuration(folder.path, port, securePort).write(toFile: file, atomically: false, encoding: .utf8)
        process = try Program(["/usr/sbin/nginx", "-e", folder.path + "/error.log", "-c", file], name: "nginx")
        for _ in 0..<2000 where access(folder.path + "/pid", R_OK) != 0 { usleep(5_000) }
    }

    deinit {
        process.end()
        try? FileManager.default.removeItem(at: folder)
    }

    private static let certificates = """
        cd "$0"
        key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
        openssl req -x509 $key -keyout ca.key -out ca.pem -days 2 -subj /CN=bench -addext basicConstraints=critical,CA:true
        openssl req $key -keyout server.key -out server.csr -subj /CN=localhost
        printf 'subjectAltName=IP:127.0.0.1\\nextendedKeyUsage=serverAuth\\n' >extensions
        openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 \\
            -extfile extensions
        cat /etc/ssl/certs/ca-certificates.crt ca.pem >bundle.pem
        """

    private static func configuration(_ folder: String, _ port: Int, _ securePort: Int) -> String {
        """
        daemon off;
        worker_processes 2;
        user root;
        pid \(folder)/pid;
        events { worker_connections 4096; }
        http {
            access_log off;
            error_log \(folder)/error.log;
            client_body_temp_path \(folder)/body;
            server {
                listen \(port);
                listen \(securePort) ssl;
                ssl_certificate \(folder)/server.pem;
                ssl_certificate_key \(folder)/server.key;
                location / { return 204; }
            }
        }
        """
    }
}
