import Foundation
import NetworkAddress
import RequestCore
import TestSupport
import Testing

/// An nginx that speaks TLS with one certificate.
struct TLSServer {
    let certificate: IssuedCertificate
    private let port: Int
    private let nginx: NginxServer

    init(_ certificate: IssuedCertificate, _ directives: String = "") throws {
        self.certificate = certificate
        port = try FreePort.next()
        nginx = try NginxServer(
            servers: """
                server {
                    listen \(port) ssl;
                    ssl_certificate \(certificate.chainFile);
                    ssl_certificate_key \(certificate.keyFile);
                    \(directives)
                    location / { return 200 hello; }
                    location /teapot { return 418; }
                    location /who { return 200 $ssl_client_s_dn; }
                    location /slow { limit_rate 100; return 200 "\(String(repeating: "x", count: 150))"; }
                }
                """)
    }

    /// The lines of the access log.
    var requests: [String] { nginx.accessLog }

    /// The number of requests that were answered, once it is as expected.
    func logged(_ expected: Int) async throws -> Int { try await nginx.logged(expected) }

    func request(_ policy: SecurityPolicy? = nil, _ path: String = "/", host: String = "localhost") throws -> Request {
        var request = Request(url: try #require(URL(string: "https://\(host):\(port)\(path)")))
        request.securityPolicy = policy
        request.family = .ipv4
        return request
    }
}

/// A server that ends TLS, keeps what it is sent, and says nothing.
struct TLSRecorder {
    private let port: Int
    private let file: String
    private let process: BackgroundProcess

    init(_ certificate: IssuedCertificate, in folder: String, _ version: String) throws {
        port = try FreePort.next()
        file = "\(folder)/received-\(port)"
        // What it reads from its input would be sent: the pipe is held open and stays empty.
        let command = """
            mkfifo \(file).in && exec stdbuf -o0 openssl s_server -accept \(port) \(version) -quiet \
            -cert \(certificate.file) -cert_chain \(certificate.chainFile) -key \(certificate.keyFile) \
            0<>\(file).in >\(file)
            """
        process = try BackgroundProcess(["sh", "-c", command])
        try FreePort.waitForListener("-t", "sport = :\(port)")
    }

    /// What came through TLS.
    var received: String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }

    /// What came, once the end of a header is there or twenty seconds have passed.
    func waitForRequest() async throws -> String {
        let start = ContinuousClock.now
        while !received.contains("\r\n\r\n"), start.duration(to: .now) < .seconds(20) {
            try await Task.sleep(for: .milliseconds(5))
        }
        return received
    }

    func request(_ policy: SecurityPolicy) -> Request {
        var request = Request(url: URL(string: "https://localhost:\(port)/") ?? URL(filePath: "/"))
        request.securityPolicy = policy
        request.family = .ipv4
        return request
    }
}
