import EventLoop
import Foundation
import NetworkAddress
import Reachability
import Resolver
import TestSupport
import Testing

@testable import Connectivity
@testable import Netwatch

/// A network that advertises its portal by RFC 8910, with the API of RFC 8908 behind TLS.
@Suite(
    "A portal's own API", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(3)))
struct CaptivePortalTests {
    private let client: TestNamespace
    private let authority: CertificateAuthority
    private let upstream: Upstream
    private let server: BackgroundProcess
    private let folder: TemporaryFolder

    init() throws {
        client = try TestNamespace()
        authority = try CertificateAuthority()
        folder = try TemporaryFolder()
        upstream = try Upstream(
            "up1", number: 1, of: client, metric: 100, ipv6: true,
            location: """
                location / { return 204; }
                location = /api { default_type application/captive+json; alias \(folder.path)/api; }
                """, certificate: try authority.issue("check.test", CertificateRequest(names: ["DNS:check.test"])))
        server = try upstream.startNameServer()
    }

    /// What the API answers from now on.
    private func answer(_ json: String) throws {
        try json.write(toFile: "\(folder.path)/api", atomically: true, encoding: .utf8)
    }

    private func start() async throws -> (ConnectivityMonitor, EventReader) {
        var configuration = ConnectivityConfiguration(targets: [
            try Target("http://\(Upstream.address)/", name: "check", expectation: .noContent)
        ])
        configuration.interval = .seconds(1)
        configuration.retryDelay = .milliseconds(200)
        configuration.timeout = .seconds(10)
        configuration.certificateAuthorityFile = authority.rootFile
        configuration.nameServers["up1"] = IPAddress(upstream.uplink.gateway).map { [NameServer($0)] }
        let monitor = ConnectivityMonitor(
            configuration: configuration, loop: try EventLoop(networkNamespace: client.descriptor))
        let reader = EventReader(monitor)
        try await monitor.start()
        return (monitor, reader)
    }

    /// Advertises the API until it is cancelled: the link-local address that this is sent from may be young.
    private func advertise() -> Task<Void, any Error> {
        let router = upstream.uplink.router
        return Task {
            while !Task.isCancelled {
                let advertisement = RouterAdvertisement(options: [.captivePortal("https://check.test/api")])
                try router.sendAndForget(advertisement, by: "router")
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    @Test("that is advertised says who has to log in where, and for how long; after the login all is well")
    func login() async throws {
        try answer(
            """
            {"captive": true, "user-portal-url": "https://login.test/", "venue-info-url": "https://venue.test/",
             "seconds-remaining": 0}
            """)
        let (monitor, reader) = try await start()
        try await reader.wait(for: .full)
        let router = advertise()
        let captive = try await reader.wait(for: .portal)
        router.cancel()
        #expect(captive.reason == .portal)
        #expect(captive.portal == "https://login.test/")
        #expect(captive.captivePortal?.interface == "up1")
        #expect(captive.captivePortal?.api == "https://check.test/api")
        #expect(captive.captivePortal?.venueInfo == "https://venue.test/")
        #expect(captive.cause.description.contains("https://login.test/"))
        try answer(#"{"captive": false, "seconds-remaining": 3600, "can-extend-session": true}"#)
        let open = try await reader.wait(for: .full)
        #expect(open.portal == nil)
        #expect(open.captivePortal?.isCaptive == false)
        #expect(open.captivePortal?.secondsRemaining == 3600)
        await monitor.stop()
    }

    @Test("that nobody can vouch for, or that talks nonsense, says nothing")
    func unusable() async throws {
        try answer("<html>log in</html>")
        let (monitor, reader) = try await start()
        try await reader.wait(for: .full)
        let router = advertise()
        for _ in 0..<1500 where monitor.current.captivePortal?.failure == nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        router.cancel()
        #expect(monitor.current.captivePortal?.failure?.contains("\"captive\"") == true)
        #expect(monitor.current.connectivity == .full)
        try answer(#"{"captive": true, "user-portal-url": "javascript:alert(1)"}"#)
        let captive = try await reader.wait(for: .portal)
        #expect(captive.portal == nil)
        #expect(captive.captivePortal?.userPortal == nil)
        await monitor.stop()
    }
}
