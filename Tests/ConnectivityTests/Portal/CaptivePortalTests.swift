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
    private let network: PortalNetwork

    init() throws {
        network = try PortalNetwork()
    }

    private func start(
        _ configuration: ConnectivityConfiguration? = nil
    ) async throws -> (ConnectivityMonitor, EventReader) {
        let monitor = ConnectivityMonitor(
            configuration: try configuration ?? network.configuration(),
            loop: try EventLoop(networkNamespace: network.client.descriptor))
        let reader = EventReader(monitor)
        try await monitor.start()
        return (monitor, reader)
    }

    /// Advertises the API until it is cancelled: the link-local address that this is sent from may be young.
    private func advertise() -> Task<Void, any Error> {
        let router = network.upstream.uplink.router
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
        try network.answer(
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
        try network.answer(#"{"captive": false, "seconds-remaining": 3600, "can-extend-session": true}"#)
        let open = try await reader.wait(for: .full)
        #expect(open.portal == nil)
        #expect(open.captivePortal?.isCaptive == false)
        #expect(open.captivePortal?.secondsRemaining == 3600)
        await monitor.stop()
    }

    @Test("is asked by the path that has its interface usable: the first answer is a good one")
    func firstQuestion() async throws {
        try network.answer(#"{"captive": false}"#)
        try network.upstream.uplink.deleteDefaultRoute()
        try network.client.run("ip", "-6", "route", "del", "default", "dev", "up1")
        var configuration = try network.configuration()
        // Known before the interface leads anywhere.
        configuration.portalAPIs["up1"] = "https://check.test/api"
        let (monitor, reader) = try await start(configuration)
        #expect(!monitor.current.to.reachability.isReachable)
        try network.upstream.uplink.addDefaultRoute()
        let told = try await reader.wait { $0.captivePortal != nil }
        #expect(told.captivePortal?.failure == nil)
        #expect(told.captivePortal?.isCaptive == false)
        await monitor.stop()
    }

    @Test("that nobody can vouch for, or that talks nonsense, says nothing")
    func unusable() async throws {
        try network.answer("<html>log in</html>")
        let (monitor, reader) = try await start()
        try await reader.wait(for: .full)
        let router = advertise()
        try await expectSoon { monitor.current.captivePortal?.failure != nil }
        router.cancel()
        #expect(monitor.current.captivePortal?.failure?.contains("\"captive\"") == true)
        let told = try await reader.wait { $0.captivePortal?.failure != nil }
        let words = "answered without JSON that has a \"captive\" that is true or false"
        #expect(told.cause.description == "the portal's API https://check.test/api \(words)")
        #expect(monitor.current.connectivity == .full)
        try network.answer(#"{"captive": true, "user-portal-url": "javascript:alert(1)"}"#)
        let captive = try await reader.wait(for: .portal)
        #expect(captive.portal == nil)
        #expect(captive.captivePortal?.userPortal == nil)
        await monitor.stop()
    }
}
