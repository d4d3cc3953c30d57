import Connectivity
import EventLoop
import Foundation
import Netwatch
import NetworkAddress
import Reachability
import RequestEngine
import Resolver
import TestSupport
import Testing

/// A host with two uplinks and no policy rules, each with its own servers behind it.
@Suite(
    "Two uplinks", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(5)))
struct TwoUplinksTests {
    private let client: TestNamespace
    private let loop: EventLoop

    init() throws {
        client = try TestNamespace()
        loop = try EventLoop(networkNamespace: client.descriptor)
    }

    private func upstreams(location: String = "location / { return 204; }") throws -> (Upstream, Upstream) {
        (
            try Upstream("up1", number: 1, of: client, metric: 100, location: location),
            try Upstream("up2", number: 2, of: client, metric: 200)
        )
    }

    private func configuration(_ url: String = "http://check.test/") throws -> ConnectivityConfiguration {
        var configuration = ConnectivityConfiguration(targets: [
            try Target(url, name: "check", expectation: .noContent)
        ])
        configuration.perInterface = true
        configuration.interval = .seconds(1)
        configuration.retryDelay = .milliseconds(200)
        configuration.timeout = .seconds(3)
        for number in [1, 2] {
            guard let gateway = IPAddress("10.\(number).0.1") else { continue }
            configuration.nameServers["up\(number)"] = [NameServer(gateway)]
        }
        return configuration
    }

    private func start(_ configuration: ConnectivityConfiguration) async throws -> (ConnectivityMonitor, EventReader) {
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        let reader = EventReader(monitor, limit: .seconds(60))
        try await monitor.start()
        return (monitor, reader)
    }

    @Test("the primary's upstream dies silently: it falls, the spare stays full; the route moves: full at once")
    func silentDeath() async throws {
        let (first, second) = try upstreams()
        let servers = [try first.startNameServer(), try second.startNameServer()]
        let (monitor, reader) = try await start(try configuration())
        try await reader.wait { $0.connectivity == .full && $0.verdict("up2") == .full }
        try first.dropAll()
        let fallen = try await reader.wait { $0.connectivity != .full }
        #expect(fallen.connectivity == .local)
        #expect(fallen.reason == .connectTimeout)
        #expect(fallen.verdict("up1") == .local)
        #expect(fallen.verdict("up2") == .full)
        // It answers over the other one all the while.
        #expect(fallen.targets.isEmpty)
        #expect(monitor.current.targets.map(\.status) == [.up])
        if fallen.spare == nil { try await reader.wait { $0.spare != nil } }
        #expect(monitor.current.spare == "up2")
        try client.ip("route del default dev up1")
        let moved = try await reader.wait { $0.to.interfaces == ["up2"] }
        #expect(moved.connectivity == .full)
        #expect(moved.cause.kind == .route)
        await monitor.stop()
        withExtendedLifetime((first, second, servers)) {}
    }

    @Test("a spare that dies is what the event tells of, and not the uplink that lives")
    func silentSpare() async throws {
        let (first, second) = try upstreams()
        var configuration = try configuration("http://\(Upstream.address)/")
        configuration.jitter = 0
        let (monitor, reader) = try await start(configuration)
        try await reader.wait { $0.connectivity == .full && $0.verdict("up1") == .full && $0.verdict("up2") == .full }
        try second.dropAll()
        let fallen = try await reader.wait { $0.verdict("up2") == .local }
        #expect(fallen.kind == .uplink && fallen.connectivity == .full, "\(fallen)")
        #expect(fallen.cause.description == "nothing answers over up2 by IPv4", "\(fallen)")
        try second.restore()
        let back = try await reader.wait { $0.verdict("up2") == .full }
        #expect(back.cause.description == "what was asked answers over up2 by IPv4", "\(back)")
        await monitor.stop()
        withExtendedLifetime((first, second)) {}
    }

    @Test("what is bound to an uplink that the route does not take is judged by that one: dead, and back")
    func boundElsewhere() async throws {
        let (first, second) = try upstreams()
        var configuration = try configuration("http://\(Upstream.address)/")
        configuration.perInterface = false
        configuration.targets[0].interface = "up2"
        let (monitor, reader) = try await start(configuration)
        try await reader.wait(for: .full)
        try second.dropAll()
        let fallen = try await reader.wait { $0.connectivity != .full }
        #expect(fallen.connectivity == .local && fallen.blame == .uplink, "\(fallen)")
        #expect(fallen.cause.description.contains("over up2"), "\(fallen)")
        try second.restore()
        try await reader.wait(for: .full)
        try client.ip("link delete up2")
        let gone = try await reader.wait { $0.reason == .interfaceUnusable }
        #expect(gone.blame == .path && gone.targets.allSatisfy { $0.blame == .path }, "\(gone)")
        await monitor.stop()
        withExtendedLifetime((first, second)) {}
    }

    @Test("one leg of a multipath route loses its upstream: limited, with that reason; then it is back")
    func multipath() async throws {
        let (first, second) = try upstreams()
        try first.uplink.deleteDefaultRoute()
        try second.uplink.deleteDefaultRoute()
        try client.run(
            "ip", "route", "add", "default", "nexthop", "via", first.uplink.gateway, "dev", "up1", "nexthop", "via",
            second.uplink.gateway, "dev", "up2")
        var configuration = try configuration("http://\(Upstream.address)/")
        configuration.perInterface = false
        let (monitor, reader) = try await start(configuration)
        try await reader.wait { $0.connectivity == .full && $0.verdict("up1") == .full && $0.verdict("up2") == .full }
        try second.dropAll()
        let fallen = try await reader.wait { $0.connectivity == .limited }
        #expect(fallen.reason == .legFailed)
        #expect(fallen.verdict("up1") == .full)
        #expect(fallen.verdict("up2") == .local)
        try second.restore()
        try await reader.wait(for: .full)
        await monitor.stop()
        withExtendedLifetime((first, second)) {}
    }

    @Test("a portal is told with its address; after the login the uplink is full")
    func portal() async throws {
        let (first, second) = try upstreams(
            location: "location / { if (!-f $document_root/login) { return 302 http://portal.test/; } return 204; }")
        let servers = [try first.startNameServer(), try second.startNameServer()]
        let (monitor, reader) = try await start(try configuration())
        let portal = try await reader.wait(for: .portal)
        #expect(portal.portal == "http://portal.test/")
        #expect(portal.verdict("up1") == .portal)
        try Data().write(to: first.web.directory.appending(path: "root/login"))
        try await reader.wait(for: .full)
        await monitor.stop()
        withExtendedLifetime((second, servers)) {}
    }

    @Test("E3 a dead name server is told as such, and harms its own uplink only")
    func deadNameServer() async throws {
        let (first, second) = try upstreams()
        let dying = try first.startNameServer()
        let living = try second.startNameServer()
        let (monitor, reader) = try await start(try configuration())
        try await reader.wait { $0.connectivity == .full && $0.verdict("up2") == .full }
        dying.terminate()
        let fallen = try await reader.wait { $0.connectivity != .full }
        #expect(fallen.reason == .nameServerFailed)
        #expect(monitor.current.probes.first { $0.interface == "up1" }?.failedPhase == .resolve)
        #expect(fallen.verdict("up2") == .full)
        await monitor.stop()
        withExtendedLifetime((second, living)) {}
    }

    @Test("a name that is not found any more is told of the way that its target's probes take")
    func lostName() async throws {
        let (first, second) = try upstreams()
        let server = try first.startNameServer()
        var configuration = try configuration()
        configuration.perInterface = false
        configuration.targets[0].interface = "up1"
        configuration.targets[0].family = .ipv4
        let (monitor, reader) = try await start(configuration)
        try await reader.wait(for: .full)
        server.terminate()
        try await reader.wait { $0.connectivity != .full }
        let lost = try #require(monitor.current.probes.first)
        #expect(lost.failedPhase == .resolve)
        #expect(lost.interface == "up1" && lost.family == .ipv4, "\(lost)")
        await monitor.stop()
        withExtendedLifetime((first, second)) {}
    }

    @Test("E8 a dead gateway is told as such")
    func deadGateway() async throws {
        let (first, second) = try upstreams()
        let (monitor, reader) = try await start(try configuration("http://\(Upstream.address)/"))
        try await reader.wait { $0.connectivity == .full && $0.verdict("up2") == .full }
        try first.silenceGateway()
        let fallen = try await reader.wait { $0.reason == .gatewayUnreachable }
        #expect(fallen.connectivity == .local)
        #expect(fallen.verdict("up2") == .full)
        await monitor.stop()
        withExtendedLifetime((first, second)) {}
    }

    @Test("IPv6 alone broken is limited, with that reason")
    func brokenIPv6() async throws {
        let first = try Upstream("up1", number: 1, of: client, metric: 100, ipv6: true)
        let server = try first.startNameServer()
        let (monitor, reader) = try await start(try configuration())
        try await reader.wait { $0.connectivity == .full && $0.uplinks.count == 2 }
        try first.dropAll(["-6"])
        let fallen = try await reader.wait(for: .limited)
        #expect(fallen.reason == .ipv6Failed)
        #expect(fallen.uplinks.first { $0.family == .ipv4 }?.connectivity == .full)
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test("an expired certificate is told as such")
    func expiredCertificate() async throws {
        let authority = try CertificateAuthority()
        let expired = try authority.issue(
            "check.test",
            CertificateRequest(names: ["DNS:check.test"]) {
                $0.notBefore = Date(timeIntervalSinceNow: -20 * 86400)
                $0.notAfter = Date(timeIntervalSinceNow: -10 * 86400)
            })
        let first = try Upstream("up1", number: 1, of: client, metric: 100, certificate: expired)
        let server = try first.startNameServer()
        var configuration = try configuration("https://check.test/")
        configuration.certificateAuthorityFile = authority.rootFile
        let (monitor, reader) = try await start(configuration)
        let fallen = try await reader.wait { $0.connectivity != .unknown }
        #expect(fallen.reason == .certificateExpired)
        #expect(fallen.probes.first?.failedPhase == .tls)
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test("a certificate that ends sooner than asked for is told, though it is still good")
    func endingCertificate() async throws {
        let authority = try CertificateAuthority()
        let ending = try authority.issue(
            "check.test",
            CertificateRequest(names: ["DNS:check.test"]) { $0.notAfter = Date(timeIntervalSinceNow: 5 * 86400) })
        let first = try Upstream("up1", number: 1, of: client, metric: 100, certificate: ending)
        let server = try first.startNameServer()
        var configuration = try configuration("https://check.test/")
        configuration.certificateAuthorityFile = authority.rootFile
        let (well, reader) = try await start(configuration)
        try await reader.wait(for: .full)
        await well.stop()
        configuration.targets[0].expectation.certificateDays = 30
        let (monitor, second) = try await start(configuration)
        let fallen = try await second.wait { $0.connectivity != .unknown }
        #expect(fallen.reason == .certificateExpired)
        #expect(fallen.probes.first?.certificate?.subject.contains("check.test") == true)
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test("a server that is slow is told as such, and not taken for a dead uplink")
    func slowServer() async throws {
        let (first, second) = try upstreams()
        var configuration = try configuration("http://\(Upstream.address)/")
        configuration.targets.append(
            try Target("http://\(first.uplink.gateway)/", name: "other", expectation: .noContent))
        configuration.perInterface = false
        let (monitor, reader) = try await start(configuration)
        try await reader.wait(for: .full)
        try first.stopAnswering()
        let fallen = try await reader.wait { $0.connectivity != .full }
        #expect(fallen.reason == .timeout)
        #expect(fallen.probes.first?.failedPhase == .processing)
        try first.goOnAnswering()
        try await reader.wait(for: .full)
        await monitor.stop()
        withExtendedLifetime((first, second)) {}
    }

    @Test("E3 strict reverse-path filtering on the spare is told, and not taken for an outage")
    func reversePathFilter() async throws {
        let (first, second) = try upstreams()
        try client.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/conf/up2/rp_filter")
        let (monitor, reader) = try await start(try configuration("http://\(Upstream.address)/"))
        try await reader.wait(for: .full)
        try await expectSoon { monitor.current.uplink("up2")?.reason == .reversePathFilter }
        let spare = try #require(monitor.current.uplink("up2"))
        #expect(spare.reason == .reversePathFilter)
        #expect(spare.connectivity == .unknown)
        await monitor.stop()
        withExtendedLifetime((first, second)) {}
    }

    @Test("both uplinks cut with fifty targets: one event, the targets unknown and none down")
    func bothCut() async throws {
        let (first, second) = try upstreams()
        var configuration = try configuration()
        configuration.perInterface = false
        configuration.targets = try (0..<50).map {
            try Target("http://\(Upstream.address)/\($0)", expectation: .noContent)
        }
        let (monitor, reader) = try await start(configuration)
        try await reader.wait(for: .full)
        try first.dropAll()
        try second.dropAll()
        // The kernel may add an address of its own meanwhile.
        let cut = try await reader.wait { $0.kind != .path }
        #expect(cut.connectivity == .local)
        // Of fifty that is one fact.
        #expect(cut.othersUnknown && cut.targets.isEmpty)
        let targets = monitor.current.targets
        #expect(targets.count == 50)
        #expect(targets.allSatisfy { $0.status == .unknown })
        #expect(targets.contains { $0.blame == .uplink })
        try first.restore()
        let back = try await reader.wait { $0.connectivity != .local }
        #expect(back.connectivity == .full)
        #expect(await reader.seen.allSatisfy { $0.targets.allSatisfy { $0.status != .down } })
        await monitor.stop()
        withExtendedLifetime((first, second)) {}
    }

    @Test("the upstream dies: echo requests without an answer are no answer, and none of their targets is down")
    func deadForEchoes() async throws {
        let (first, second) = try upstreams()
        try client.run("sh", "-c", "echo '0 2147483647' > /proc/sys/net/ipv4/ping_group_range")
        var configuration = try configuration("http://\(Upstream.address)/")
        configuration.perInterface = false
        configuration.targets.append(try Target("icmp://\(Upstream.address)", name: "echo"))
        let (monitor, reader) = try await start(configuration)
        try await reader.wait(for: .full)
        #expect(monitor.current.targets.allSatisfy { $0.status == .up })
        try first.dropAll()
        let cut = try await reader.wait { $0.kind != .path }
        #expect(cut.connectivity == .local)
        #expect(cut.targets.map(\.status) == [.unknown, .unknown], "\(cut.targets)")
        try first.restore()
        let back = try await reader.wait { $0.connectivity != .local }
        #expect(back.connectivity == .full)
        #expect(await reader.seen.allSatisfy { $0.targets.allSatisfy { $0.status != .down } })
        await monitor.stop()
        withExtendedLifetime((first, second)) {}
    }

    @Test("the upstream dies: a target on the link itself stays up, those behind the gateway are unknown, none is down")
    func nearTarget() async throws {
        let (first, second) = try upstreams()
        let server = try first.startNameServer()
        var configuration = try configuration("http://\(Upstream.address)/")
        configuration.perInterface = false
        configuration.targets += [
            try Target("http://\(Upstream.address)/2", expectation: .noContent),
            try Target("tcp://\(first.uplink.gateway):53", name: "lan"),
        ]
        let (monitor, reader) = try await start(configuration)
        try await reader.wait(for: .full)
        #expect(monitor.current.targets.allSatisfy { $0.status == .up })
        try first.dropAll()
        let cut = try await reader.wait { $0.kind != .path }
        #expect(cut.connectivity == .local)
        #expect(cut.targets.map(\.status) == [.unknown, .unknown] && cut.targets.allSatisfy { $0.target != "lan" })
        #expect(monitor.current.targets.map(\.status) == [.unknown, .unknown, .up])
        #expect(cut.targets.contains { $0.evidence?.contains("behind the gateway") == true })
        let probed = monitor.current.targets.last?.checkedAt
        try await expectSoon { monitor.current.targets.last?.checkedAt != probed }
        try first.restore()
        let back = try await reader.wait { $0.connectivity != .local }
        #expect(back.connectivity == .full)
        #expect(await reader.seen.allSatisfy { $0.targets.allSatisfy { $0.status != .down } })
        await monitor.stop()
        withExtendedLifetime((first, second, server)) {}
    }

    @Test("one target's server stopped with the uplinks well: that one is down, and no other")
    func oneTargetDown() async throws {
        let (first, second) = try upstreams()
        var configuration = try configuration("http://\(Upstream.address)/")
        configuration.perInterface = false
        configuration.targets.append(
            try Target("http://\(first.uplink.gateway):81/", name: "own", expectation: .noContent))
        var own: NginxServer? = try NginxServer(
            in: first.uplink.router, port: 81, locations: "location / { return 204; }")
        let (monitor, reader) = try await start(configuration)
        try await reader.wait(for: .full)
        own = nil
        let fallen = try await reader.wait(for: .limited)
        #expect(fallen.reason == .connectionRefused)
        #expect(fallen.targets.filter { $0.status == .down }.map(\.target) == ["own"])
        #expect(fallen.targets.first { $0.target == "own" }?.blame == .target)
        await monitor.stop()
        withExtendedLifetime((own, second)) {}
    }
}

extension Event {
    func uplink(_ interface: String) -> UplinkVerdict? { uplinks.first { $0.interface == interface } }

    func verdict(_ interface: String) -> ConnectivityStatus? { uplink(interface)?.connectivity }
}

extension Upstream {
    /// The web server's processes stop where they are: connections are accepted by the kernel, and nothing is answered.
    func stopAnswering() throws { try signal("STOP") }

    func goOnAnswering() throws { try signal("CONT") }

    fileprivate func signal(_ name: String) throws {
        let master = try String(contentsOf: web.directory.appending(path: "nginx.pid"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let workers = try String(contentsOfFile: "/proc/\(master)/task/\(master)/children", encoding: .utf8)
        try Command.run(["kill", "-s", name] + workers.split(separator: " ").map(String.init))
    }
}
