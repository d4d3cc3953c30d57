import EventLoop
import Foundation
import RequestEngine
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

/// The phases of a probe beside those that curl measures of the same server in the same run.
@Suite(
    "Phase timings", .serialized, .enabled(if: NginxServer.isInstalled, "nginx is not installed"),
    .disabled(if: Sanitizer.isInUse, "a sanitizer slows this process, and not curl"))
struct PhaseTimingTests {
    private static let rounds = 5

    @Test("are curl's, within a tenth and a millisecond, over a slow way with TLS and a slow body")
    func phases() async throws {
        let authority = try CertificateAuthority()
        let certificate = try authority.issue("slow.test", CertificateRequest(names: ["IP:127.0.0.1"]))
        let port = try FreePort.next()
        let slow = try Self.slowServer()
        let server = try NginxServer(
            servers: """
                server {
                    listen \(port) ssl; ssl_certificate \(certificate.chainFile);
                    ssl_certificate_key \(certificate.keyFile);
                    location / { proxy_pass http://127.0.0.1:\(slow.port); proxy_buffering off; }
                }
                """)
        let way = try DelayLine(to: port, milliseconds: 60)
        let url = "https://127.0.0.1:\(way.port)/body"
        var configuration = ConnectivityConfiguration()
        configuration.certificateAuthorityFile = authority.rootFile
        let prober = Prober(loop: try EventLoop(), configuration: configuration)
        // A machine that is busy with something else may disturb one comparison, but hardly three.
        var differences: [String] = []
        for _ in 0..<3 {
            differences = try await compare(url, prober, authority.rootFile)
            if differences.isEmpty { break }
        }
        #expect(differences.isEmpty)
        withExtendedLifetime((server, slow, way)) {}
    }

    @Test("of a redirected probe are those of the whole way, the look-up between its legs included")
    func redirected() async throws {
        let last = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        }
        let place = "http://localhost:\(last.port)/"
        let first = try SocketServer { connection in
            connection.readRequest()
            usleep(200_000)
            connection.send(
                "HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        var target = try Target("http://127.0.0.1:\(first.port)/")
        target.redirects = 1
        let prober = Prober(loop: try EventLoop(), configuration: ConnectivityConfiguration())
        let result = await prober.result(of: Probe(id: 1, target: target, timeout: .seconds(20)))
        #expect(result.outcome == .success, "\(result)")
        #expect(Set(result.phases.keys) == [.resolve, .connect, .processing, .transfer])
        #expect(result.phases[.processing] ?? .zero >= .milliseconds(200))
        let sum = result.phases.values.reduce(Duration.zero) { $0 + $1 }
        #expect(result.duration - sum < .milliseconds(100), "\(result)")
        withExtendedLifetime((first, last)) {}
    }

    /// Thinks before it answers, and again in the middle of the body.
    private static func slowServer() throws -> SocketServer {
        try SocketServer { connection in
            connection.readRequest()
            usleep(50_000)
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 16384\r\n\r\n")
            connection.send([UInt8](repeating: 46, count: 8192))
            usleep(80_000)
            connection.send([UInt8](repeating: 46, count: 8192))
        }
    }

    /// The phases whose medians differ by more than a tenth and a millisecond.
    private func compare(_ url: String, _ prober: Prober, _ authority: String) async throws -> [String] {
        var ours: [Phase: [Double]] = [:]
        var theirs: [Phase: [Double]] = [:]
        for _ in 0..<Self.rounds {
            let result = await prober.result(of: Probe(id: 1, target: try Target(url), timeout: .seconds(20)))
            try #require(result.outcome == .success, "\(result)")
            for (phase, time) in result.phaseNanoseconds { ours[phase, default: []].append(Double(time) / 1e9) }
            for (phase, time) in try curl(url, authority) { theirs[phase, default: []].append(time) }
        }
        return theirs.keys.compactMap { phase in
            guard let our = ours[phase]?.median, let their = theirs[phase]?.median else { return "\(phase) is missing" }
            // Nothing slows a connection over loopback: how long it takes says how busy the machine is.
            guard phase != .connect else { return nil }
            return abs(our - their) <= 0.1 * their + 0.001 ? nil : "\(phase): \(our) s, and curl \(their) s"
        }
    }

    /// The same by curl. Its times are all counted from the start (curl(1), --write-out).
    private func curl(_ url: String, _ authority: String) throws -> [Phase: Double] {
        let format =
            "%{time_namelookup} %{time_connect} %{time_appconnect} %{time_pretransfer} %{time_starttransfer} %{time_total}"
        let text = try Command.run([
            "curl", "--silent", "--fail", "--noproxy", "*", "--cacert", authority, "--output", "/dev/null",
            "--write-out", format, url,
        ])
        let times = text.split(separator: " ").compactMap { Double($0) }
        try #require(times.count == 6, "curl printed \(text)")
        return [
            .connect: times[1] - times[0], .tls: times[2] - times[1], .processing: times[4] - times[3],
            .transfer: times[5] - times[4],
        ]
    }
}

extension [Double] {
    fileprivate var median: Double { sorted()[count / 2] }
}
