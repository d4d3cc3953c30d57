import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite(
    "A session that goes through a proxy over TLS",
    .enabled(if: NginxServer.isInstalled && TLSProxy.isInstalled, "nginx, tinyproxy or stunnel is not installed"))
struct SessionTLSProxyTests {
    let authority: CertificateAuthority
    let proxy: TLSProxy

    init() throws {
        authority = try CertificateAuthority()
        proxy = try TLSProxy(authority.issue("proxy"))
    }

    private func session(authorities: String?, exceptions: [String] = []) throws -> Session {
        var configuration = SessionConfiguration.default
        var through = Proxy(.https, host: "localhost", port: proxy.port)
        through.authorities = authorities
        through.exceptions = exceptions
        configuration.proxy = .proxy(through)
        configuration.securityPolicies.other = SecurityPolicy(anchors: .file(authority.rootFile))
        return try Session(configuration: configuration, loop: EventLoop())
    }

    @Test("plain HTTP is forwarded by a proxy that its authorities vouch for")
    func forwarded() async throws {
        let server = try NginxServer(locations: "location / { return 200 \"$http_via\"; }")
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let response = try await session(authorities: authority.rootFile).response(for: Request(url: url))
        #expect(String(decoding: response.body, as: UTF8.self).contains("tinyproxy"))
        #expect(response.metrics.remotePort == proxy.port)
    }

    /// By the default policy nobody vouches for the server.
    private func expectDistrust(of request: Request, by session: Session) async {
        var request = request
        request.securityPolicy = .default
        let error = await #expect(throws: RequestError.self) { try await session.response(for: request) }
        guard case .untrusted? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("TLS goes through TLS, and the policy judges the server")
    func tunnel() async throws {
        let port = try FreePort.next()
        let server = try NginxServer(
            servers: SessionTLSTests.block(port, try authority.issue("server"), "location / { return 200 secure; }"))
        let request = Request(url: try #require(URL(string: "https://localhost:\(port)/")))
        let session = try session(authorities: authority.rootFile)
        #expect(try await session.response(for: request).body == Data("secure".utf8))
        #expect(proxy.proxy.log.contains("CONNECT localhost:\(port)"))
        await expectDistrust(of: request, by: session)
        withExtendedLifetime(server) {}
    }

    @Test(
        "a host that is excepted is asked directly, and the policy judges it",
        arguments: ["LocalHost", "127.0.0.0/8"])
    func excepted(exception: String) async throws {
        let port = try FreePort.next()
        let server = try NginxServer(
            servers: SessionTLSTests.block(port, try authority.issue("server"), "location / { return 200 secure; }"))
        let host = exception == "LocalHost" ? "localhost" : "127.0.0.1"
        let request = Request(url: try #require(URL(string: "https://\(host):\(port)/")))
        let session = try session(authorities: authority.rootFile, exceptions: ["other", exception])
        #expect(try await session.response(for: request).body == Data("secure".utf8))
        #expect(!proxy.proxy.log.contains("CONNECT \(host):"))
        await expectDistrust(of: request, by: session)
        withExtendedLifetime(server) {}
    }

    @Test("a proxy that nobody vouches for hears nothing of the request")
    func untrusted() async throws {
        let server = try NginxServer()
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let error = await #expect(throws: RequestError.self) {
            try await session(authorities: nil).response(for: Request(url: url))
        }
        #expect(error != nil && error?.metrics.bytesSent == 0)
        #expect(server.accessLog.isEmpty)
        #expect(!proxy.proxy.log.contains("Request"))
    }
}
