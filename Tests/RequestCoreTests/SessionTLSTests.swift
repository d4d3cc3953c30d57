import EventLoop
import Foundation
import NetworkAddress
import RequestCore
import TestSupport
import Testing

@Suite("A session over TLS", .enabled(if: NginxServer.isInstalled, "nginx is not installed"))
struct SessionTLSTests {
    let authority: CertificateAuthority
    let leaf: IssuedCertificate
    let server: NginxServer
    let port: Int

    init() throws {
        authority = try CertificateAuthority()
        leaf = try authority.issue("server")
        port = try FreePort.next()
        let documents = ["text": Data("hello".utf8), "long": Data(count: 1 << 20)]
        server = try NginxServer(servers: Self.block(port, leaf), documents: documents)
    }

    static func block(_ port: Int, _ certificate: IssuedCertificate, _ more: String = "") -> String {
        """
        server {
            listen \(port) ssl http2;
            listen [::]:\(port) ssl http2;
            ssl_certificate \(certificate.chainFile);
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_certificate_key \(certificate.keyFile);
            \(more)
        }
        """
    }

    func session(_ change: (inout SecurityPolicy) -> Void = { _ in }) throws -> Session {
        var configuration = SessionConfiguration.default
        configuration.securityPolicies.other = policy(change)
        return try Session(configuration: configuration, loop: EventLoop())
    }

    func policy(_ change: (inout SecurityPolicy) -> Void = { _ in }) -> SecurityPolicy {
        var policy = SecurityPolicy(anchors: .file(authority.rootFile))
        change(&policy)
        return policy
    }

    func request(_ path: String = "text", host: String = "localhost") throws -> Request {
        Request(url: try #require(URL(string: "https://\(host):\(port)/\(path)")))
    }

    @Test("a trusted server answers over HTTP/2, and the metrics tell of the handshake")
    func trusted() async throws {
        let session = try session()
        let first = try await session.response(for: request())
        #expect(first.body == Data("hello".utf8))
        #expect(first.httpVersion == .http2)
        #expect(first.metrics.tlsVersion == "TLSv1.3")
        #expect(first.metrics.tlsCipher?.hasPrefix("TLS_") == true)
        #expect(first.metrics.phases[.tls] ?? .zero > .zero)
        let presented = try Certificate.certificates(file: leaf.chainFile)
        #expect(first.metrics.certificates == presented)
        let second = try await session.response(for: request())
        #expect(second.metrics.isConnectionReused)
        #expect(second.metrics.certificates == presented)
        #expect(second.metrics.phases[.tls] == nil)
    }

    @Test("a session speaks the version that each request asks for, whatever it has spoken before")
    func versionsInTurn() async throws {
        let session = try session()
        var spoken: [ProtocolVersion] = []
        for version in [HTTPVersionPolicy.http1, .http2, .http1, .http2] {
            var request = try request()
            request.httpVersion = version
            spoken.append(try await session.response(for: request).httpVersion)
        }
        #expect(spoken == [.http1_1, .http2, .http1_1, .http2])
    }

    @Test("one version alone is spoken", arguments: [HTTPVersionPolicy.http1, .http2])
    func version(_ version: HTTPVersionPolicy) async throws {
        var request = try request()
        request.httpVersion = version
        let response = try await session().response(for: request)
        #expect(response.httpVersion == (version == .http1 ? .http1_1 : .http2))
    }

    @Test("HTTP/2 without TLS answers each of several requests, at once and one after the other")
    func withoutTLS() async throws {
        let port = try FreePort.next()
        let server = try NginxServer(servers: "server { listen \(port) http2; location / { return 200 hello; } }")
        let session = try Session(loop: EventLoop())
        var request = Request(url: try #require(URL(string: "http://127.0.0.1:\(port)/")))
        request.httpVersion = .http2
        for _ in 0..<3 {
            async let other = session.response(for: request)
            for response in [try await session.response(for: request), try await other] {
                #expect(response.httpVersion == .http2 && response.body == Data("hello".utf8))
            }
        }
        withExtendedLifetime(server) {}
    }

    @Test("while a connection carries one answer, requests of other kinds go over it one after the other")
    func multiplexing() async throws {
        let session = try session()
        _ = try await session.response(for: request())
        let stream = try await session.stream(request("long"))
        for number in 0..<4 {
            var request = try request()
            request.headers = ["X-Number": "\(number)"]
            let response = try await session.response(for: request)
            #expect(response.body == Data("hello".utf8) && response.metrics.isConnectionReused)
        }
        var count = 0
        for try await piece in stream.body { count += piece.count }
        #expect(count == 1 << 20)
    }

    @Test("a server that is not trusted sees no request, and its certificates are told")
    func untrusted() async throws {
        var configuration = SessionConfiguration.default
        let stranger = try CertificateAuthority()
        configuration.securityPolicies.other = SecurityPolicy(anchors: .file(stranger.rootFile))
        let session = try Session(configuration: configuration, loop: EventLoop())
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request()) }
        guard case .untrusted(let trust) = error?.reason, case .unknownIssuer = trust.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.failedPhase == .tls)
        #expect(error?.metrics.certificates == (try Certificate.certificates(file: leaf.chainFile)))
        #expect(server.accessLog.isEmpty)
    }

    @Test("a certificate for another name is refused")
    func wrongHost() async throws {
        let session = try session()
        var request = try request(host: "other.example")
        request.addresses = [.v4(.init(rawValue: 0x7F00_0001))]
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        guard case .untrusted(let trust) = error?.reason, case .wrongHost = trust.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a pinned request after an unpinned one to the same host is refused before a byte of HTTP is sent")
    func pinnedAfterUnpinned() async throws {
        let session = try session()
        _ = try await session.response(for: request())
        let stranger = try Certificate.certificates(file: authority.issue("stranger").file)
        var pinned = try request()
        pinned.securityPolicy = policy {
            $0.pinningMode = .publicKey
            $0.pinnedCertificates = stranger
        }
        let error = await #expect(throws: RequestError.self) { try await session.response(for: pinned) }
        guard case .untrusted(let trust) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(trust.reason == .pinMismatch)
        #expect(error?.failedPhase == .tls)
        #expect(error?.metrics.bytesSent == 0)
        #expect(try await server.logged(1) == 1)
        let third = try await session.response(for: request())
        #expect(third.metrics.isConnectionReused)
    }

    @Test("a pin that matches lets the request through, over a connection of its own")
    func pinned() async throws {
        let session = try session()
        _ = try await session.response(for: request())
        var pinned = try request()
        let pins = try Certificate.certificates(file: leaf.file)
        pinned.securityPolicy = policy {
            $0.pinningMode = .certificate
            $0.pinnedCertificates = pins
        }
        #expect(try await !session.response(for: pinned).metrics.isConnectionReused)
        #expect(try await session.response(for: pinned).metrics.isConnectionReused)
    }

    @Test("a pinned policy refuses a URL without TLS, before anything is sent")
    func pinningWithoutTLS() async throws {
        let session = try session { $0.pinningMode = .publicKey }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/text"))
        let error = await #expect(throws: RequestError.self) { try await session.response(for: Request(url: url)) }
        #expect(error?.reason == .pinningWithoutTLS(url: url.absoluteString))
    }

    @Test("a host without a policy is refused where all others have none")
    func noPolicy() async throws {
        var configuration = SessionConfiguration.default
        configuration.securityPolicies.other = nil
        let session = try Session(configuration: configuration, loop: EventLoop())
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request()) }
        #expect(error?.reason == .noSecurityPolicy(host: "localhost"))
    }

    @Test("anchors that cannot be read are told before anything is sent")
    func noAnchors() async throws {
        let session = try session { $0.anchors = .file("/nowhere/ca.pem") }
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request()) }
        guard case .security(.unreadable(path: "/nowhere/ca.pem", _)) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
