import EventLoop
import Foundation
import NetworkAddress
import Reachability
import RequestEngine
import Resolver
import TestSupport
import Testing

@testable import Connectivity
@testable import Netwatch
@testable import Probing

/// What a target can ask for beside its URL, each against a real server behind a link.
@Suite(
    "Options of a target",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(3)))
struct ProbeOptionTests {
    private let client: TestNamespace
    private let authority: CertificateAuthority
    private let upstream: Upstream
    private let server: BackgroundProcess
    private let loop: EventLoop

    private static let locations = """
        location / { return 204; }
        location /json { return 200 '{"status": "up", "load": [0.5, 3], "a/b": {"m~n": null}, "ready": true}'; }
        location /post { if ($http_content_length = "7") { return 200; } return 400; }
        location /old { return 302 /json; }
        location /other { return 302 http://check.test/json; }
        location /loop { return 302 /loop; }
        location /gone { return 302 http://www.check.test/; }
        location /stall { return 302 http://check.test:8081/; }
        location /long { return 200 "0123456789"; }
        """

    init() async throws {
        client = try TestNamespace()
        authority = try CertificateAuthority()
        let request = CertificateRequest(names: ["DNS:check.test"]) {
            $0.notAfter = Date(timeIntervalSinceNow: 10 * 86400 + 3600)
        }
        upstream = try Upstream(
            "up1", number: 1, of: client, metric: 100, location: Self.locations,
            certificate: try authority.issue("check.test", request))
        server = try upstream.startNameServer()
        loop = try EventLoop(networkNamespace: client.descriptor)
    }

    private func probe(
        _ url: String, interface: String? = "up1", timeout: Duration = .seconds(20), after servers: [String] = [],
        _ change: (inout Target) -> Void = { _ in }
    ) async throws -> ProbeResult {
        var configuration = ConnectivityConfiguration()
        configuration.certificateAuthorityFile = authority.rootFile
        configuration.nameServers["up1"] = (servers + [upstream.uplink.gateway]).compactMap { IPAddress($0) }
            .map { NameServer($0) }
        let prober = Prober(loop: loop, configuration: configuration)
        try await prober.usePresentPath()
        var target = try Target(url)
        change(&target)
        try target.validate()
        return await prober.result(of: Probe(id: 1, target: target, interface: interface, timeout: timeout))
    }

    @Test("a TLS handshake is made, and the certificate is told")
    func handshake() async throws {
        let result = try await probe("tls://check.test:443")
        #expect(result.outcome == .success, "\(result)")
        #expect(result.certificate?.subject == "CN=check.test")
        #expect(Set(result.phases.keys) == [.resolve, .connect, .tls])
        #expect(result.statusCode == nil)
        // The server that answers does not speak TLS.
        let plain = try await probe("tls://check.test:80")
        #expect(plain.reason == .tlsFailed, "\(plain)")
        #expect(plain.failedPhase == .tls)
    }

    @Test("a certificate has to be valid for as many days as asked for")
    func days() async throws {
        for url in ["tls://check.test:443", "https://check.test/"] {
            let enough = try await probe(url) { $0.expectation.certificateDays = 10 }
            #expect(enough.outcome == .success, "\(enough)")
            let tooFew = try await probe(url) { $0.expectation.certificateDays = 11 }
            #expect(tooFew.reason == .certificateExpired, "\(tooFew)")
            #expect(tooFew.failedPhase == .tls)
        }
    }

    @Test("a handshake with a server that is not the one named fails with the certificate at hand")
    func otherName() async throws {
        let result = try await probe("tls://\(Upstream.address):443")
        #expect(result.reason == .certificateName, "\(result)")
        #expect(result.certificate?.subject == "CN=check.test")
    }

    @Test("a JSON body is held against a pointer and a value")
    func json() async throws {
        let cases: [(pointer: String, value: String?, isGood: Bool)] = [
            ("/status", "\"up\"", true), ("/status", "\"down\"", false), ("/load/0", "0.5", true),
            ("/load/1", "3.0", true), ("/load/2", nil, false), ("/load/01", nil, false),
            ("/a~1b/m~0n", "null", true), ("/ready", "true", true), ("/none", nil, false), ("", nil, true),
        ]
        for (pointer, value, isGood) in cases {
            let result = try await probe("http://check.test/json") {
                $0.expectation.body = .json(JSONMatch(pointer: pointer, value: value))
            }
            #expect(result.outcome == (isGood ? .success : .failure), "\(pointer) \(result)")
            #expect(result.reason == (isGood ? nil : .unexpectedBody))
        }
        let page = try await probe("http://check.test/long") { $0.expectation.body = .json(JSONMatch(pointer: "/a")) }
        #expect(page.reason == .unexpectedBody)
    }

    @Test("the request's content is sent")
    func requestBody() async throws {
        let result = try await probe("http://check.test/post") {
            $0.method = "POST"
            $0.requestBody = "netwatc"
        }
        #expect(result.statusCode == 200, "\(result)")
        #expect(try await probe("http://check.test/post") { $0.method = "POST" }.statusCode == 400)
    }

    @Test("another version of HTTP than the one asked for is a failure")
    func version() async throws {
        #expect(try await probe("http://check.test/") { $0.httpVersion = .http1_1 }.outcome == .success)
        #expect(try await probe("http://check.test/") { $0.httpVersion = .http2 }.outcome == .failure)
        let secure = try await probe("https://check.test/") { $0.httpVersion = .http2 }
        #expect(secure.reason == .unexpectedHeader, "\(secure)")
        let second = try NginxServer(
            in: upstream.uplink.router, port: 8080,
            servers: """
                server { listen 8443 ssl http2; ssl_certificate \(try #require(upstream.certificate).chainFile);
                ssl_certificate_key \(try #require(upstream.certificate).keyFile); \(Self.locations) }
                """)
        let good = try await probe("https://check.test:8443/") { $0.httpVersion = .http2 }
        #expect(good.outcome == .success, "\(good)")
        withExtendedLifetime(second) {}
    }

    @Test("redirects are judged, or followed as far as asked for, another host's by the same name servers")
    func redirects() async throws {
        for path in ["old", "other"] {
            let followed = try await probe("http://\(Upstream.address)/\(path)") {
                $0.redirects = 1
                $0.expectation.body = .json(JSONMatch(pointer: "/status", value: "\"up\""))
            }
            #expect(followed.outcome == .success, "\(followed)")
            let judged = try await probe("http://\(Upstream.address)/\(path)")
            #expect(judged.statusCode == 302)
        }
        let endless = try await probe("http://check.test/loop") { $0.redirects = 3 }
        #expect(endless.reason == .unexpectedStatus, "\(endless)")
    }

    @Test("a redirect that was to be followed and cannot be is a failure", arguments: ["http", "https"])
    func lostRedirect(scheme: String) async throws {
        let lost = try await probe("\(scheme)://check.test/gone") { $0.redirects = 1 }
        #expect(lost.reason == .unexpectedStatus && lost.statusCode == 302, "\(lost)")
        // Where none is to be followed it is an answer.
        let judged = try await probe("\(scheme)://check.test/gone")
        #expect(judged.outcome == .success, "\(judged)")
    }

    @Test("redirects and the look-ups between them end with the probe's time")
    func slowRedirect() async throws {
        // A name server that says nothing takes half of the time; then the server that is found says nothing either.
        try upstream.uplink.router.ip(
            """
            route add blackhole 192.0.2.53/32
            rule add pref 4 iif router to \(Upstream.address) ipproto tcp dport 8081 blackhole
            """)
        let result = try await probe(
            "http://\(Upstream.address)/stall", timeout: .seconds(3), after: ["192.0.2.53"]
        ) { $0.redirects = 1 }
        #expect(result.reason == .connectTimeout, "\(result)")
        #expect(result.duration < .seconds(4), "\(result)")
    }

    @Test("a body longer than asked for fails")
    func bodySize() async throws {
        #expect(try await probe("http://check.test/long") { $0.maximumBodySize = 10 }.outcome == .success)
        #expect(try await probe("http://check.test/long") { $0.maximumBodySize = 9 }.reason == .bodyUnexamined)
    }

    @Test("a proxy over TLS is looked up at the interface's servers, and has to have the certificate of its name")
    func secureProxy() async throws {
        let named = try await probe("http://far.test/json") { $0.proxy = "https://check.test:443" }
        #expect(named.outcome == .success, "\(named)")
        #expect(named.statusCode == 200)
        #expect(named.remoteAddress?.description == Upstream.address)
        let other = try await probe("http://far.test/json") { $0.proxy = "https://\(Upstream.address):443" }
        #expect(other.outcome == .failure, "\(other)")
        #expect(other.statusCode == nil)
    }

    @Test("probes of a medium are bound to its interface, and fail where there is none")
    func medium() async throws {
        var configuration = ConnectivityConfiguration(targets: [
            try target("wired", .ethernet), try target("mobile", .wwan),
        ])
        configuration.fall = 1
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        let reader = EventReader(monitor)
        try await monitor.start()
        let event = try await reader.wait { $0.probes.count == 2 }
        await monitor.stop()
        let wired = event.probes.first { $0.target == "wired" }
        #expect(wired?.outcome == .success)
        #expect(wired?.interface == "up1")
        let mobile = event.probes.first { $0.target == "mobile" }
        #expect(mobile?.reason == .interfaceUnusable)
        #expect(mobile?.failure == "there is no wwan interface that traffic could leave by")
    }

    private func target(_ name: String, _ medium: Medium) throws -> Target {
        var target = try Target("http://\(Upstream.address)/", name: name)
        target.medium = medium
        return target
    }
}

@Suite("Probes through a proxy", .enabled(if: ProxyServer.areInstalled && NginxServer.isInstalled))
struct ProxiedProbeTests {
    private func probe(
        _ url: String, proxy: String, timeout: Duration = .seconds(20)
    ) async throws -> ProbeResult {
        var target = try Target(url)
        target.proxy = proxy
        try target.validate()
        let prober = Prober(loop: try EventLoop(), configuration: ConnectivityConfiguration())
        return await prober.result(of: Probe(id: 1, target: target, timeout: timeout))
    }

    @Test("reach the target through the proxy", arguments: [ProxyServer.Kind.http, .socks5])
    func through(kind: ProxyServer.Kind) async throws {
        let server = try NginxServer(locations: "location / { return 204; }")
        let proxy = try ProxyServer(kind)
        let result = try await probe(
            "http://127.0.0.1:\(server.port)/", proxy: "\(kind == .http ? "http" : "socks5h")://127.0.0.1:\(proxy.port)"
        )
        #expect(result.outcome == .success, "\(result)")
        #expect(try await server.logged(1) == 1)
        if kind == .http { #expect(proxy.log.contains("127.0.0.1:\(server.port)")) }
    }

    @Test("that takes the connection and says nothing do not say that it cannot be reached")
    func mute() async throws {
        let proxy = try SocketServer { $0.waitForEnd() }
        let result = try await probe(
            "http://127.0.0.1:1/", proxy: "socks5h://127.0.0.1:\(proxy.port)", timeout: .seconds(1))
        #expect(result.reason == .proxyRefused, "\(result)")
        let words = "no connection comes about through the proxy: timed out"
        #expect(result.failure?.hasPrefix(words) == true, "\(result)")
    }

    @Test("that does not answer blame the proxy")
    func refused() async throws {
        let result = try await probe("http://127.0.0.1:1/", proxy: "http://127.0.0.1:\(try FreePort.next())")
        #expect(result.reason == .proxyRefused, "\(result)")
    }
}
