import EventLoop
import Foundation
import Glibc
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite("The security policy in a handshake", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct SecurityHandshakeTests {
    let authority: CertificateAuthority
    let session: Session

    init() throws {
        authority = try CertificateAuthority()
        session = try Session(loop: EventLoop())
    }

    private var policy: SecurityPolicy { SecurityPolicy(anchors: .file(authority.rootFile)) }

    private func server(_ request: CertificateRequest = CertificateRequest(), _ directives: String = "") throws
        -> TLSServer
    {
        try TLSServer(authority.issue("server", request), directives)
    }

    private func reason(_ request: Request) async throws -> RequestError.Reason {
        try await failure(request).reason
    }

    private func failure(_ request: Request) async throws -> RequestError {
        try await #require(throws: RequestError.self) { try await session.response(for: request) }
    }

    // MARK: Trust

    @Test("a trusted server answers, and the metrics show its chain", arguments: ["TLSv1.2", "TLSv1.3"])
    func trusted(version: String) async throws {
        let server = try server(CertificateRequest(), "ssl_protocols \(version);")
        let response = try await session.response(for: server.request(policy))
        #expect(response.body == Data("hello".utf8))
        #expect(response.metrics.tlsVersion == version)
        #expect(response.metrics.certificates == (try Certificate.certificates(file: server.certificate.chainFile)))
    }

    @Test("an equal policy shares the connection, and still sees the chain")
    func reused() async throws {
        let server = try server()
        let first = try await session.response(for: server.request(policy)).metrics
        let second = try await session.response(for: server.request(policy)).metrics
        #expect(second.isConnectionReused)
        #expect(!second.certificates.isEmpty && second.certificates == first.certificates)
    }

    enum Flaw: CaseIterable {
        case expired, notYetValid, wrongHost, selfSigned, untrusted

        var request: CertificateRequest {
            switch self {
            case .expired:
                CertificateRequest {
                    $0.notBefore -= 5 * 86400; $0.notAfter = .now - 86400
                }
            case .notYetValid: CertificateRequest { $0.notBefore = .now + 86400 }
            case .wrongHost: CertificateRequest(names: ["DNS:other.test"])
            case .selfSigned: CertificateRequest { $0.issuer = .itself }
            case .untrusted: CertificateRequest()
            }
        }

        func reason(_ leaf: Certificate) -> TrustError.Reason {
            switch self {
            case .expired: .expired(subject: "CN=server", notAfter: leaf.notAfter)
            case .notYetValid: .notYetValid(subject: "CN=server", notBefore: leaf.notBefore)
            case .wrongHost: .wrongHost("localhost", names: ["other.test"])
            case .selfSigned: .selfSigned(subject: "CN=server")
            case .untrusted: .unknownIssuer(issuer: "CN=Test Root")
            }
        }
    }

    @Test(
        "a flawed certificate is refused with its facts, and the server sees no request",
        arguments: Flaw.allCases, ["TLSv1.2", "TLSv1.3"])
    func flawed(flaw: Flaw, version: String) async throws {
        let server = try server(flaw.request, "ssl_protocols \(version);")
        let chain = try Certificate.certificates(file: server.certificate.chainFile)
        let error = try await failure(server.request(flaw == .untrusted ? .default : policy))
        #expect(error.reason == .untrusted(TrustError(reason: flaw.reason(chain[0]), chain: chain, host: "localhost")))
        #expect(error.failedPhase == .tls)
        #expect(error.metrics.certificates == chain)
        #expect(server.requests.isEmpty)
    }

    @Test("a revoked certificate is refused")
    func revoked() async throws {
        let server = try server()
        var strict = policy
        strict.revocation = RevocationLists(files: [try authority.revocationList()])
        #expect(try await session.response(for: server.request(strict)).statusCode == 200)
        try authority.revoke(server.certificate)
        strict.revocation = RevocationLists(files: [try authority.revocationList()])
        guard case .untrusted(let error) = try await reason(server.request(strict)) else {
            Issue.record("passed"); return
        }
        #expect(error.reason == .revoked(subject: "CN=server"))
        #expect(try await server.logged(1) == 1)
    }

    @Test("a revocation list that is replaced is read again")
    func replacedList() async throws {
        let server = try server()
        let list = try authority.revocationList()
        var strict = policy
        strict.revocation = RevocationLists(files: [list])
        var request = try server.request(strict)
        request.usesFreshConnection = true
        #expect(try await session.response(for: request).statusCode == 200)
        try authority.revoke(server.certificate)
        #expect(rename(try authority.revocationList(), list) == 0)
        guard case .untrusted(let error) = try await reason(request) else {
            Issue.record("passed")
            return
        }
        #expect(error.reason == .revoked(subject: "CN=server"))
    }

    @Test("an address is asked for by its own name in the certificate")
    func address() async throws {
        let server = try server(CertificateRequest(names: ["IP:127.0.0.1"]))
        #expect(try await session.response(for: server.request(policy, host: "127.0.0.1")).statusCode == 200)
        guard case .untrusted(let error) = try await reason(server.request(policy)) else {
            Issue.record("passed"); return
        }
        #expect(error.reason == .wrongHost("localhost", names: ["127.0.0.1"]))
    }

    // MARK: Pins

    @Test(
        "a pin anywhere in the chain passes", arguments: [SecurityPolicy.PinningMode.certificate, .publicKey],
        [0, 1, 2])
    func pinned(mode: SecurityPolicy.PinningMode, index: Int) async throws {
        let server = try server()
        let chain = try Certificate.certificates(file: server.certificate.chainFile)
        var pinned = policy
        pinned.pinningMode = mode
        pinned.pinnedCertificates = try [(chain + Certificate.certificates(file: authority.rootFile))[index]]
        #expect(try await session.response(for: server.request(pinned)).statusCode == 200)
    }

    private func mispinned(_ mode: SecurityPolicy.PinningMode) throws -> SecurityPolicy {
        var mispinned = policy
        mispinned.pinningMode = mode
        mispinned.pinnedCertificates = try Certificate.certificates(file: authority.issue("another").file)
        return mispinned
    }

    @Test(
        "a bad pin sends not one byte of HTTP", arguments: [SecurityPolicy.PinningMode.certificate, .publicKey],
        ["-tls1_2", "-tls1_3"])
    func mispinned(mode: SecurityPolicy.PinningMode, version: String) async throws {
        let recorder = try TLSRecorder(authority.issue("server"), in: authority.folder, version)
        var request = recorder.request(try mispinned(mode))
        guard case .untrusted(let error) = try await reason(request) else { Issue.record("passed"); return }
        #expect(error.reason == .pinMismatch)
        #expect(recorder.received.isEmpty)
        // The recorder does record: with the right policy it sees the request (and never answers it).
        request.securityPolicy = policy
        let task = Task { [session, request] in try await session.response(for: request) }
        #expect(try await recorder.waitForRequest().hasPrefix("GET / HTTP/1.1\r\n"))
        task.cancel()
        await #expect(throws: RequestError.self) { try await task.value }
    }

    @Test(
        "a bad pin is refused also while the session has connections to the same host",
        arguments: [SecurityPolicy.PinningMode.certificate, .publicKey])
    func mispinnedBesideOthers(mode: SecurityPolicy.PinningMode) async throws {
        let server = try server()
        #expect(try await session.response(for: server.request(policy)).statusCode == 200)
        async let slow = session.response(for: server.request(policy, "/slow"))
        for _ in 0..<3 {
            guard case .untrusted(let error) = try await reason(server.request(mispinned(mode))) else {
                Issue.record("passed"); return
            }
            #expect(error.reason == .pinMismatch)
        }
        #expect(try await session.response(for: server.request(policy)).statusCode == 200)
        #expect(try await slow.statusCode == 200)
        #expect(try await server.logged(3) == 3)
    }

    @Test("a policy that pins refuses a URL without TLS, in whatever case the scheme is written")
    func pinnedWithoutTLS() async throws {
        let url = try #require(URL(string: "HTTP://127.0.0.1:1/"))
        var request = Request(url: url)
        request.securityPolicy = try mispinned(.publicKey)
        #expect(try await reason(request) == .pinningWithoutTLS(url: url.absoluteString))
    }

    // MARK: What else a policy asks for

    @Test("a server that speaks only older TLS is refused")
    func minimumVersion() async throws {
        let server = try server(CertificateRequest(), "ssl_protocols TLSv1.2;")
        var strict = policy
        strict.minimumTLSVersion = .tls13
        guard case .tls(host: "localhost", _) = try await reason(server.request(strict)) else {
            Issue.record("passed"); return
        }
        #expect(server.requests.isEmpty)
    }

    @Test(
        "a client certificate is presented, and its connection is not lent to others",
        arguments: ["TLSv1.2", "TLSv1.3"])
    func clientIdentity(version: String) async throws {
        let server = try server(
            CertificateRequest(),
            "ssl_protocols \(version); ssl_client_certificate \(authority.rootFile); ssl_verify_client on; ssl_verify_depth 2;"
        )
        var identities: [SecurityPolicy] = []
        for name in ["one", "two"] {
            let issued = try authority.issue(name, CertificateRequest { $0.usage = "clientAuth" })
            var policy = policy
            policy.clientIdentity = try ClientIdentity(certificate: issued.chainFile, privateKey: issued.keyFile)
            identities.append(policy)
        }
        #expect(try await session.response(for: server.request(identities[0], "/who")).body == Data("CN=one".utf8))
        #expect(try await session.response(for: server.request(policy, "/who")).statusCode == 400)
        let second = try await session.response(for: server.request(identities[1], "/who"))
        #expect(second.body == Data("CN=two".utf8))
        #expect(!second.metrics.isConnectionReused)
    }

    @Test("the session's policies are chosen by host, and hosts without one are refused")
    func byHost() async throws {
        let server = try server(CertificateRequest(names: ["DNS:localhost", "IP:127.0.0.1"]))
        var configuration = SessionConfiguration()
        configuration.securityPolicies = try SecurityPolicies(other: nil, hosts: [HostPattern("localhost"): policy])
        let session = try Session(configuration: configuration, loop: EventLoop())
        #expect(try await session.response(for: server.request()).statusCode == 200)
        let error = try await #require(throws: RequestError.self) {
            try await session.response(for: server.request(host: "127.0.0.1"))
        }
        #expect(error.reason == .noSecurityPolicy(host: "127.0.0.1"))
    }

    @Test("a file of authorities that is not there is told before any connection")
    func absentAuthorities() async throws {
        let request = try Request(url: #require(URL(string: "https://127.0.0.1:1/")))
        var absent = request
        absent.securityPolicy = SecurityPolicy(anchors: .file("/nonexistent.pem"))
        let expected = RequestError.Reason.security(.unreadable(path: "/nonexistent.pem", .noSuchFileOrDirectory))
        #expect(try await reason(absent) == expected)
    }
}
