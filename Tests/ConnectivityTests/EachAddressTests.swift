import EventLoop
import Foundation
import NetworkAddress
import Resolver
import TestSupport
import Testing

@testable import Connectivity
@testable import Netwatch
@testable import Probing

/// A name with several addresses, of which some are dead.
@Suite(
    "Each address of a name", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(5)))
struct EachAddressTests {
    private let client: TestNamespace
    private let loop: EventLoop
    private static let second = "10.99.0.2"

    init() throws {
        client = try TestNamespace()
        loop = try EventLoop(networkNamespace: client.descriptor)
    }

    /// A server at two addresses of IPv4 and one of IPv6, all of them known as `check.test`.
    private func upstream() throws -> (Upstream, BackgroundProcess) {
        let upstream = try Upstream("up1", number: 1, of: client, metric: 100, ipv6: true)
        try upstream.uplink.router.ip("address add \(Self.second)/32 dev lo")
        return (upstream, try upstream.startNameServer("--host-record=check.test,\(Self.second)"))
    }

    private func drop(_ address: String, _ upstream: Upstream) throws {
        let family = address.contains(":") ? "-6" : "-4"
        try upstream.uplink.router.run(
            "ip", family, "rule", "add", "pref", "4", "iif", "router", "to", address, "blackhole")
    }

    private func configuration() throws -> ConnectivityConfiguration {
        var target = try Target("http://check.test/", name: "check", expectation: .noContent)
        target.eachAddress = true
        target.interface = "up1"
        var configuration = ConnectivityConfiguration(targets: [target])
        configuration.nameServers["up1"] = IPAddress("10.1.0.1").map { [NameServer($0)] }
        configuration.interval = .seconds(1)
        configuration.retryDelay = .milliseconds(200)
        configuration.timeout = .seconds(2)
        return configuration
    }

    @Test("is asked, and each family and the winner are told")
    func all() async throws {
        let servers = try upstream()
        let configuration = try configuration()
        let prober = Prober(loop: loop, configuration: configuration)
        try await prober.usePresentPath()
        let result = await prober.result(
            of: Probe(id: 1, target: configuration.targets[0], interface: "up1", timeout: .seconds(20)))
        #expect(result.outcome == .success, "\(result)")
        let addresses = try #require(result.addresses)
        #expect(
            Set(addresses.map(\.address.description)) == [Upstream.address, Self.second, Upstream.address6])
        #expect(addresses.allSatisfy { $0.outcome == .success && $0.connect != nil })
        #expect(addresses.filter(\.isWinner).map(\.address) == [result.remoteAddress])
        #expect(addresses.summary.hasPrefix("answering: IPv6 1 of 1, IPv4 2 of 2; "))
        #expect(try await servers.0.web.logged(3) == 3)
    }

    @Test("is asked after a redirect within its host, too, and no other in its place")
    func redirected() async throws {
        let upstream = try Upstream(
            "up1", number: 1, of: client, metric: 100,
            location: "location / { return 204; } location /away { return 302 http://check.test:8080/; }")
        let router = upstream.uplink.router
        try router.ip("address add \(Self.second)/32 dev lo")
        try router.ip("rule add pref 4 iif router to \(Self.second) ipproto tcp dport 8080 blackhole")
        let other = try NginxServer(in: router, port: 8080, locations: "location / { return 204; }")
        let names = try upstream.startNameServer("--host-record=check.test,\(Self.second)")
        var target = try Target("http://check.test/away", name: "check", expectation: .noContent)
        (target.eachAddress, target.interface, target.redirects) = (true, "up1", 3)
        let prober = Prober(loop: loop, configuration: try configuration())
        try await prober.usePresentPath()
        let result = await prober.result(
            of: Probe(id: 1, target: target, interface: "up1", family: .ipv4, timeout: .seconds(4)))
        let addresses = try #require(result.addresses)
        #expect(addresses.filter(\.isFailure).map(\.address.description) == [Self.second], "\(addresses)")
        #expect(addresses.count == 2 && result.outcome == .success, "\(result)")
        withExtendedLifetime((other, names)) {}
    }

    @Test("that is dead leaves the target up, and is told with its reason; back again, too")
    func oneDead() async throws {
        let (upstream, server) = try upstream()
        let monitor = ConnectivityMonitor(configuration: try configuration(), loop: loop)
        let reader = EventReader(monitor, limit: .seconds(60))
        try await monitor.start()
        let well = try await reader.wait { $0.connectivity == .full }
        #expect(well.targets.first?.reason == nil)
        try drop(Self.second, upstream)
        let degraded = try await reader.wait { $0.targets.first?.reason != nil }
        let health = try #require(degraded.targets.first)
        #expect(health.status == .up)
        #expect(degraded.connectivity == .full)
        #expect(health.reason == .connectTimeout)
        #expect(health.blame == .target)
        #expect(health.evidence?.contains("IPv6 1 of 1, IPv4 1 of 2") == true, "\(health)")
        #expect(health.evidence?.contains("\(Self.second): connect-timeout") == true, "\(health)")
        #expect(health.addresses?.filter(\.isFailure).map(\.address.description) == [Self.second])
        try upstream.uplink.router.run("ip", "-4", "rule", "del", "pref", "4")
        // On a slow machine the results may become too old in between.
        let mended = try await reader.wait { $0.targets.first?.reason == nil && $0.targets.first?.status == .up }
        #expect(mended.targets.first?.evidence == nil)
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test("is shown by the explanation, which stops at one that is dead though the name can be used")
    func explained() async throws {
        let (upstream, server) = try upstream()
        var configuration = try configuration()
        configuration.timeout = .seconds(3)
        let explainer = Explainer(configuration: configuration, loop: loop)
        let well = try await explainer.explain("check")
        #expect(well.isReachable, Comment(rawValue: well.description))
        #expect(well.steps.last?.kind == .addresses)
        try drop(Self.second, upstream)
        let broken = try await explainer.explain("http://check.test/", interface: "up1", eachAddress: true).broken
        #expect(broken?.kind == .addresses)
        #expect(broken?.reason == .connectTimeout)
        #expect(
            broken?.command
                == "curl -sv -m 3 --interface 'if!up1' --resolve check.test:80:\(Self.second) http://check.test/")
        withExtendedLifetime((upstream, server)) {}
    }

    @Test("is asked up to a limit, and how many there are is told")
    func limit() async throws {
        let upstream = try Upstream("up1", number: 1, of: client, metric: 100)
        let server = try upstream.startNameServer((1...20).map { "--host-record=many.test,10.99.1.\($0)" })
        try upstream.uplink.router.ip("address add 10.99.1.0/24 dev lo")
        var target = try Target("http://many.test/", expectation: .noContent)
        target.eachAddress = true
        var configuration = try configuration()
        configuration.targets = [target]
        let prober = Prober(loop: loop, configuration: configuration)
        try await prober.usePresentPath()
        let result = await prober.result(of: Probe(id: 1, target: target, interface: "up1", timeout: .seconds(20)))
        #expect(result.addresses?.count == 16)
        #expect(result.addressCount == 20)
        var narrow = Probe(id: 2, target: target, interface: "up1", timeout: .seconds(20))
        narrow.width = 1
        let inTurn = await prober.result(of: narrow)
        #expect(inTurn.addresses?.count == 16)
        #expect(inTurn.addresses?.allSatisfy { $0.outcome == .success } == true, "\(inTurn)")
        withExtendedLifetime((upstream, server)) {}
    }

    @Test("through a proxy is refused, whose business it is")
    func proxied() throws {
        var target = try Target("http://check.test/")
        target.eachAddress = true
        target.proxy = "http://proxy.test:3128"
        #expect(throws: TargetError.self) { try target.validate() }
    }
}

@Suite("The race of addresses (RFC 8305)")
struct HappyEyeballsTests {
    private static let addresses = ["192.0.2.1", "192.0.2.2", "2001:db8::1"].compactMap { IPAddress($0) }

    private func result(_ address: IPAddress, connect: UInt64?, duration: UInt64 = 3_000_000_000) -> AddressResult {
        var result = AddressResult(address: address, outcome: connect == nil ? .failure : .success, duration: duration)
        result.connectNanoseconds = connect
        return result
    }

    @Test("takes the families in turn, IPv6 first")
    func order() {
        #expect(
            HappyEyeballs.order(Self.addresses).map(\.description) == ["2001:db8::1", "192.0.2.1", "192.0.2.2"])
    }

    @Test(
        "is won by the first connection that stands",
        arguments: [
            // (milliseconds to connect, or nil; the winner)
            ([20, 1, 1], 0), ([249, 1, 1], 0), ([252, 1, 1], 1), ([nil, 5, 1], 1), ([nil, nil, 5], 2),
            ([600, 400, 90], 2),
            ([nil, nil, nil], nil),
        ] as [([UInt64?], Int?)])
    func winner(milliseconds: [UInt64?], winner: Int?) {
        let ordered = HappyEyeballs.order(Self.addresses)
        let results = zip(ordered, milliseconds).map { result($0, connect: $1.map { $0 * 1_000_000 }) }
        #expect(HappyEyeballs.race(results).firstIndex(where: \.isWinner) == winner)
    }

    @Test("an attempt that fails at once lets the next begin")
    func quickFailure() {
        let ordered = HappyEyeballs.order(Self.addresses)
        let results = [
            result(ordered[0], connect: nil, duration: 1_000_000), result(ordered[1], connect: 300_000_000),
            result(ordered[2], connect: 40_000_000),
        ]
        #expect(HappyEyeballs.race(results).firstIndex(where: \.isWinner) == 2)
    }

    @Test("an address counts as dead once it has failed often enough in a row")
    func streaks() throws {
        let address = try #require(Self.addresses.first)
        let (good, bad) = (result(address, connect: 1), result(address, connect: nil))
        var streaks = AddressStreaks()
        streaks.take([good], fall: 2, isFirst: true)
        streaks.take([bad], fall: 2, isFirst: false)
        #expect(streaks.failing.isEmpty)
        streaks.take([good], fall: 2, isFirst: false)
        streaks.take([bad], fall: 2, isFirst: false)
        #expect(streaks.failing.isEmpty)
        streaks.take([bad], fall: 2, isFirst: false)
        #expect(streaks.failing.map(\.address) == [address])
        streaks.take([good], fall: 2, isFirst: false)
        #expect(streaks.failing.isEmpty)
        streaks.take([bad], fall: 2, isFirst: true)
        #expect(streaks.failing.count == 1)
    }
}
