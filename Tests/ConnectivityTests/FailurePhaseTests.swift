import EventLoop
import Foundation
import Glibc
import NetworkAddress
import RequestEngine
import SystemPackage
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

/// libcurl tells no phase of a request that fails, and no certificate that it refuses; other programs print zeros.
@Suite(
    "Where the time of a failed probe went", .serialized,
    .enabled(if: NginxServer.isInstalled, "nginx is not installed"), .timeLimit(.minutes(2)))
struct FailurePhaseTests {
    private let authority: CertificateAuthority
    private let prober: Prober

    init() throws {
        authority = try CertificateAuthority()
        var configuration = ConnectivityConfiguration()
        configuration.certificateAuthorityFile = authority.rootFile
        prober = Prober(loop: try EventLoop(), configuration: configuration)
    }

    /// Probes until the phases add up to the whole within a millisecond, or a tenth: a busy machine may come in between,
    /// but not each time. Returns the last result.
    private func probe(
        _ url: String, by other: Prober? = nil, timeout: Duration = .milliseconds(300),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ProbeResult {
        var result = ProbeResult(target: url, outcome: .success, duration: 0, time: .now)
        var missing: [Int64] = []
        for _ in 0..<100 {
            let probe = Probe(id: 1, target: try Target(url), timeout: timeout)
            result = await (other ?? prober).result(of: probe)
            let rest = Int64(result.durationNanoseconds) - Int64(result.phaseNanoseconds.values.reduce(0, +))
            if abs(rest) <= max(Self.slack, Int64(result.durationNanoseconds / 10)) { return result }
            missing.append(rest)
        }
        Issue.record("\(missing) ns are in no phase of \(result)", sourceLocation: sourceLocation)
        return result
    }

    /// In nanoseconds; under a sanitizer each step takes that long.
    private static let slack: Int64 = Sanitizer.isInUse ? 20_000_000 : 1_000_000

    private func expect(
        _ result: ProbeResult, _ reason: ConnectivityReason, in phase: Phase,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = Comment(rawValue: "\(result)")
        #expect(result.outcome == .failure, text, sourceLocation: sourceLocation)
        #expect(result.reason == reason, text, sourceLocation: sourceLocation)
        #expect(result.failedPhase == phase, text, sourceLocation: sourceLocation)
        #expect(result.phases[phase] != nil, text, sourceLocation: sourceLocation)
        let later = Phase.allCases.drop { $0 != phase }.dropFirst()
        #expect(later.allSatisfy { result.phases[$0] == nil }, text, sourceLocation: sourceLocation)
    }

    @Test("a connection that is refused: in connecting")
    func refused() async throws {
        let port = try FreePort.next()
        for scheme in ["http", "https", "tcp"] {
            // A machine may stand still for seconds, after which libcurl looks at the time before it looks at the socket.
            let result = try await probe("\(scheme)://127.0.0.1:\(port)", timeout: .seconds(20))
            expect(result, .connectionRefused, in: .connect)
        }
    }

    @Test("a connection that is reset as soon as it stands has one word, whether the reset or the look at it is first")
    func reset() {
        let late = RequestError.Reason.connect(host: "a.test", port: 80, .connectionReset)
        #expect(ConnectivityReason(late, isSecure: false) == .connectionLost)
        #expect(
            ConnectivityReason(.connectionLost(received: 0, .connectionReset), isSecure: false) == .connectionLost)
        #expect(ConnectivityReason(late, isSecure: true) == .tlsFailed)
        #expect(ConnectivityReason(.tls(host: "a.test", "reset"), isSecure: true) == .tlsFailed)
        #expect(ConnectivityReason(socket: .connectionReset) == .connectionLost)
        // What this host could not open is not the server's fault.
        let trust = TrustError(reason: .hostShortage(.tooManyOpenFiles), chain: [], host: "a.test")
        #expect(ConnectivityReason(.untrusted(trust), isSecure: true) == .overloaded)
        #expect(ConnectivityReason(socket: .connectionRefused) == .connectionRefused)
    }

    @Test("a server that says nothing: in the handshake, or in waiting for its answer")
    func silent() async throws {
        let server = try SocketServer { $0.waitForEnd() }
        expect(try await probe("https://127.0.0.1:\(server.port)/"), .timeout, in: .tls)
        expect(try await probe("tls://127.0.0.1:\(server.port)"), .timeout, in: .tls)
        expect(try await probe("http://127.0.0.1:\(server.port)/"), .timeout, in: .processing)
    }

    @Test("a name server that is not there, or says nothing: in resolving")
    func nameServer() async throws {
        expect(try await probe("dns://127.0.0.1:\(try FreePort.next())/a.test"), .nameServerFailed, in: .resolve)
        let silent = try ProbeSocket(.ipv4, type: CInt(SOCK_DGRAM.rawValue), protocol: 0)
        let port = try #require(silent.boundPort)
        expect(try await probe("dns://127.0.0.1:\(port)/a.test"), .nameServerFailed, in: .resolve)
    }

    @Test("a server that breaks off: in the phase it was in")
    func broken() async throws {
        let hasty = try SocketServer { $0.readRequest() }
        expect(try await probe("http://127.0.0.1:\(hasty.port)/"), .connectionLost, in: .processing)
        let slow = try SocketServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin")
            connection.waitForEnd()
        }
        expect(try await probe("http://127.0.0.1:\(slow.port)/"), .timeout, in: .transfer)
    }

    @Test("a certificate that is refused: in the handshake, with the certificate at hand")
    func certificates() async throws {
        let day = 86400.0
        let cases: [(ConnectivityReason, CertificateRequest)] = [
            (
                .certificateExpired,
                CertificateRequest {
                    $0.notBefore = Date(timeIntervalSinceNow: -20 * day)
                    $0.notAfter = Date(timeIntervalSinceNow: -10 * day)
                }
            ),
            (.certificateNotYetValid, CertificateRequest { $0.notBefore = Date(timeIntervalSinceNow: 10 * day) }),
            (.certificateName, CertificateRequest(names: ["DNS:other.test"])),
        ]
        for (index, (reason, request)) in cases.enumerated() {
            let server = try Self.server(try authority.issue("case\(index)", request))
            let result = try await probe("https://127.0.0.1:\(server.port)/")
            expect(result, reason, in: .tls)
            #expect(result.certificate?.subject == "CN=case\(index)")
            withExtendedLifetime(server.process) {}
        }
        let server = try Self.server(try authority.issue("case"))
        let stranger = Prober(loop: try EventLoop(), configuration: ConnectivityConfiguration())
        let result = try await probe("https://127.0.0.1:\(server.port)/", by: stranger)
        expect(result, .certificateIssuer, in: .tls)
        #expect(result.certificate?.subject == "CN=case")
        withExtendedLifetime(server.process) {}
    }

    private static func server(_ certificate: IssuedCertificate) throws -> (process: NginxServer, port: Int) {
        let port = try FreePort.next()
        let process = try NginxServer(
            servers: """
                server {
                    listen \(port) ssl; ssl_certificate \(certificate.chainFile);
                    ssl_certificate_key \(certificate.keyFile); location / { return 204; }
                }
                """)
        return (process, port)
    }
}

extension ProbeSocket {
    /// Binds it to a free port of loopback, and tells which.
    fileprivate var boundPort: Int? {
        guard let loopback = IPAddress("127.0.0.1"),
            loopback.withSocketAddress(port: 0, { Glibc.bind(descriptor, $0, $1) }) == 0
        else { return nil }
        var address = sockaddr_in()
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &count) }
        }
        return result == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}
