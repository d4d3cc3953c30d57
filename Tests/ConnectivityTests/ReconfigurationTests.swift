import EventLoop
import Foundation
import NetworkAddress
import Reachability
import Resolver
import TestSupport
import Testing

@testable import Connectivity
@testable import Netwatch

@Suite(
    "Another configuration", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(3)))
struct ReconfigurationTests {
    @Test("of a running monitor has other name servers asked and other authorities trusted from then on")
    func nameServersAndAuthorities() async throws {
        let client = try TestNamespace()
        let authority = try CertificateAuthority()
        let certificate = try authority.issue("check.test", CertificateRequest(names: ["DNS:check.test"]))
        let upstream = try Upstream("up1", number: 1, of: client, metric: 100, certificate: certificate)
        let server = try upstream.startNameServer()
        var configuration = ConnectivityConfiguration(targets: [
            try Target("https://check.test/", name: "check", expectation: .noContent)
        ])
        configuration.perInterface = true
        configuration.retryDelay = .milliseconds(200)
        configuration.timeout = .seconds(5)
        configuration.fall = 1
        // No server listens there: the name server is another one.
        configuration.nameServers["up1"] = IPAddress(Upstream.address).map { [NameServer($0)] }
        let monitor = ConnectivityMonitor(
            configuration: configuration, loop: try EventLoop(networkNamespace: client.descriptor))
        let reader = EventReader(monitor)
        try await monitor.start()
        try await reader.wait { $0.reason == .nameServerFailed }
        configuration.nameServers["up1"] = IPAddress(upstream.uplink.gateway).map { [NameServer($0)] }
        try await monitor.configure(configuration)
        try await reader.wait { $0.reason == .certificateIssuer }
        configuration.certificateAuthorityFile = authority.rootFile
        try await monitor.configure(configuration)
        try await reader.wait(for: .full)
        await monitor.stop()
        withExtendedLifetime((server, upstream)) {}
    }
}
