import Connectivity
import Foundation
import TestSupport
import Testing

@testable import Probing

extension Fault {
    static let ofTLS = [
        Fault(
            "certificate expired", "one until ten days ago", at: .tls, .certificateExpired, handshake,
            advice: "renewed"
        ) {
            _ = try $0.secured { try $0.issue("check.test", .days(-20, -10)) }
        },
        Fault(
            "certificate not yet valid", "one from in ten days on", at: .tls, .certificateNotYetValid, handshake,
            advice: "clock"
        ) {
            _ = try $0.secured { try $0.issue("check.test", .days(10, 20)) }
        },
        Fault(
            "certificate of another name", "one for other.test", at: .tls, .certificateName, handshake,
            advice: "another name"
        ) {
            _ = try $0.secured { try $0.issue("other.test", CertificateRequest(names: ["DNS:other.test"])) }
        },
        Fault(
            "certificate of an unknown issuer", "another authority's", at: .tls, .certificateIssuer, handshake,
            advice: "authority's file"
        ) {
            let other = try CertificateAuthority()
            $0.keep(other)
            _ = try $0.secured { _ in try other.issue("check.test", .days(-1, 10)) }
        },
        Fault(
            "certificate signed by itself", "by its own key", at: .tls, .certificateIssuer, handshake,
            advice: "authority's file"
        ) {
            _ = try $0.secured { authority in
                var request = CertificateRequest.days(-1, 10)
                request.issuer = .itself
                return try authority.issue("check.test", request)
            }
        },
        Fault(
            "TLS too old", "a server that knows TLS 1.1 at most", at: .tls, .tlsFailed, handshake,
            advice: "check versions"
        ) {
            _ = try $0.secured(
                { try $0.issue("check.test", .days(-1, 10)) },
                tls: "ssl_protocols TLSv1 TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;")
        },
        Fault(
            "no TLS at all", "plain HTTP at the port", at: .tls, .tlsFailed,
            "openssl s_client -connect check.test:80 -servername check.test", advice: "what answers on this port"
        ) {
            try $0.named("https://check.test:80/")
        },
        Fault(
            "a client certificate is wanted", "nginx: `ssl_verify_client on` (400)", at: .tls, .tlsFailed, handshake,
            advice: "curl --cert FILE",
            words: ["check.test wants a client certificate, and none was shown", "answered 400"]
        ) { world in
            let root = try FaultWorld.authority.get().rootFile
            _ = try world.secured(
                { try $0.issue("check.test", .days(-1, 10)) },
                tls: "ssl_verify_client on; ssl_client_certificate \(root);")
        },
        wantedCertificate("-tls1_2", "TLS 1.2"), wantedCertificate("-tls1_3", "TLS 1.3"),
        Fault(
            "this host's clock is behind", "a certificate from ten days on, and a server on whose clock it is that day",
            at: .clock, .certificateNotYetValid, "timedatectl", advice: "set the clock"
        ) {
            try clock($0, days: 15)
        },
        Fault(
            "this host's clock is ahead", "a certificate until ten days ago, and a server on whose clock it is earlier",
            at: .clock, .certificateExpired, "timedatectl", advice: "set the clock"
        ) {
            try clock($0, days: -15)
        },
    ]

    /// A server that ends the connection without one.
    private static func wantedCertificate(_ option: String, _ version: String) -> Fault {
        Fault(
            "a client certificate is wanted by \(version)", "`openssl s_server -Verify 1 \(option)` (an alert)",
            at: .tls,
            .tlsFailed, "openssl s_client -connect check.test:444 -servername check.test", advice: "curl --cert FILE",
            words: ["check.test wants a client certificate, and none was shown", "CertificateRequest"]
        ) { world in
            var issued: IssuedCertificate?
            let upstream = try world.secured {
                let certificate = try $0.issue("check.test", .days(-1, 10))
                issued = certificate
                return certificate
            }
            let certificate = try #require(issued)
            world.keep(
                try upstream.uplink.router.start(
                    "openssl", "s_server", "-accept", "444", "-quiet", "-www", "-Verify", "1", "-verify_return_error",
                    option, "-cert", certificate.chainFile, "-cert_chain", certificate.chainFile, "-key",
                    certificate.keyFile, "-CAfile", try FaultWorld.authority.get().rootFile))
            try FreePort.waitForListener("-t", "sport = :444", in: upstream.uplink.router)
            world.subject = "https://check.test:444/"
        }
    }

    private static let handshake = "openssl s_client -connect check.test:443 -servername check.test"

    /// A world that is so many days further than this host, which cannot be given another clock alone.
    private static func clock(_ world: FaultWorld, days: Int) throws {
        let upstream = try world.secured(
            { try $0.issue("check.test", .days(days - 5, days + 5)) },
            location: "location / { proxy_pass http://127.0.0.1:81; proxy_pass_header Date; }")
        try world.python(
            """
            import http.server, email.utils, time
            class Handler(http.server.BaseHTTPRequestHandler):
                def date_time_string(self, timestamp=None):
                    return email.utils.formatdate(time.time() + \(days) * 86400, usegmt=True)
                def do_GET(self):
                    self.send_response(204)
                    self.end_headers()
            server = http.server.HTTPServer(("127.0.0.1", 81), Handler)
            print("ready")
            server.serve_forever()
            """, in: upstream.uplink.router)
    }
}

extension CertificateRequest {
    /// One of `check.test` that is valid from so many days from now on until so many.
    fileprivate static func days(_ first: Int, _ last: Int) -> CertificateRequest {
        CertificateRequest(names: ["DNS:check.test"]) {
            $0.notBefore = Date(timeIntervalSinceNow: Double(first) * 86400)
            $0.notAfter = Date(timeIntervalSinceNow: Double(last) * 86400)
        }
    }
}
