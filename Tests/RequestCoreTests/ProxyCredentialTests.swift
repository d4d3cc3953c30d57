import EventLoop
import Foundation
import RequestCore
import TestSupport
import Testing

@Suite(
    "Who asks a proxy",
    .enabled(
        if: NginxServer.isInstalled && ProxyServer.areInstalled, "nginx, tinyproxy or microsocks is not installed"))
struct ProxyCredentialTests {
    @Test(
        "a connection that a proxy has let one user make is not used for another",
        arguments: [(ProxyServer.Kind.http, Proxy.Kind.http), (.socks5, .socks5)])
    func tunnel(server: ProxyServer.Kind, kind: Proxy.Kind) async throws {
        let authority = try CertificateAuthority()
        let port = try FreePort.next()
        let secure = try NginxServer(
            servers: SessionTLSTests.block(port, try authority.issue("server"), "location / { return 200 secure; }"))
        let proxy = try ProxyServer(server, user: "user", password: "right")
        var configuration = SessionConfiguration.default
        configuration.securityPolicies.other = SecurityPolicy(anchors: .file(authority.rootFile))
        let session = try Session(configuration: configuration, loop: EventLoop())
        func ask(_ password: String) async throws -> Response {
            var request = Request(url: try #require(URL(string: "https://localhost:\(port)/")))
            request.proxy = .proxy(Proxy(kind, host: "127.0.0.1", port: proxy.port, user: "user", password: password))
            return try await session.response(for: request)
        }
        #expect(try await ask("right").body == Data("secure".utf8))
        #expect(try await ask("right").metrics.isConnectionReused)
        let error = await #expect(throws: RequestError.self) { try await ask("wrong") }
        guard case .proxy? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await ask("right").metrics.isConnectionReused)
        withExtendedLifetime(secure) {}
    }
}
