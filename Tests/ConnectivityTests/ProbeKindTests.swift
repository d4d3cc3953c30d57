import EventLoop
import Foundation
import NetworkAddress
import RequestEngine
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

/// Probes that are not HTTP, each over a link with the real thing behind it.
@Suite(
    "Other kinds of probes",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"))
struct ProbeKindTests {
    private let client: TestNamespace
    private let upstream: Upstream
    private let prober: Prober

    init() async throws {
        client = try TestNamespace()
        upstream = try Upstream("up1", number: 1, of: client, metric: 100, ipv6: true)
        let loop = try EventLoop(networkNamespace: client.descriptor)
        prober = Prober(loop: loop, configuration: ConnectivityConfiguration())
        try await prober.usePresentPath()
    }

    private func probe(
        _ url: String, interface: String? = nil, timeout: Duration = .seconds(20),
        _ body: Connectivity.Expectation.Body? = nil
    ) async throws -> ProbeResult {
        var target = try Target(url)
        target.expectation.body = body
        return await prober.result(of: Probe(id: 1, target: target, interface: interface, timeout: timeout))
    }

    @Test("a TCP connection is made, bound or not", arguments: [nil, "up1"])
    func connection(interface: String?) async throws {
        for host in [Upstream.address, "[\(Upstream.address6)]"] {
            let result = try await probe("tcp://\(host):80", interface: interface)
            #expect(result.outcome == .success, "\(result)")
            #expect(result.phases.keys.sorted { $0.rawValue < $1.rawValue } == [.connect])
            #expect(result.interface == interface)
        }
    }

    @Test("a TCP connection is refused, or nothing comes back")
    func noConnection() async throws {
        let refused = try await probe("tcp://\(Upstream.address):9")
        #expect(refused.reason == .connectionRefused)
        #expect(refused.failedPhase == .connect)
        try upstream.dropAll()
        #expect(try await probe("tcp://\(Upstream.address):80", timeout: .milliseconds(300)).reason == .connectTimeout)
    }

    @Test("an interface that is not there, or has no route, is told, and nothing is sent")
    func wrongInterface() async throws {
        #expect(try await probe("tcp://\(Upstream.address):80", interface: "none0").reason == .interfaceUnusable)
    }

    @Test("an interface without a way out leads to its own link, and nowhere else")
    func ownLink() async throws {
        try upstream.uplink.deleteDefaultRoute()
        try client.run("ip", "-6", "route", "del", "default", "dev", "up1")
        try await prober.usePresentPath()
        let near = try await probe("tcp://\(upstream.uplink.gateway):80", interface: "up1")
        #expect(near.outcome == .success, "\(near)")
        let far = try await probe("tcp://\(Upstream.address):80", interface: "up1")
        #expect(far.reason == .noRoute, "\(far)")
    }

    @Test("another name of an interface is told to be one")
    func otherName() async throws {
        try client.ip("link property add dev up1 altname enp3s0")
        try await prober.usePresentPath()
        let result = try await probe("tcp://\(Upstream.address):80", interface: "enp3s0")
        #expect(result.reason == .interfaceUnusable, "\(result)")
        #expect(result.failure == "enp3s0 is another name of up1: name that one")
    }

    @Test("a name server answers with the expected record, or with another")
    func nameServer() async throws {
        let server = try upstream.startNameServer()
        let gateway = upstream.uplink.gateway
        #expect(try await probe("dns://\(gateway)/check.test").outcome == .success)
        let other = try await probe("dns://\(gateway)/check.test?type=AAAA", .exact("2001:db8::1"))
        #expect(other.reason == .unexpectedBody)
        #expect(try await probe("dns://\(gateway)/check.test?type=AAAA", .exact("fd99::1")).outcome == .success)
        #expect(try await probe("dns://\(gateway)/other.test").reason == .nameNotFound)
        let unwilling = try await probe("dns://\(gateway)/name.example")
        #expect(unwilling.reason == .nameServerFailed)
        #expect(unwilling.failedPhase == .processing, "it has answered: \(unwilling)")
        let silent = try await probe("dns://\(gateway):54/check.test", timeout: .seconds(1))
        #expect(silent.reason == .nameServerFailed)
        #expect(silent.failedPhase == .resolve)
        withExtendedLifetime(server) {}
    }

    @Test("an echo comes back where ping sockets are allowed, and says nothing where they are not")
    func echo() async throws {
        try client.run("sh", "-c", "echo '1 0' > /proc/sys/net/ipv4/ping_group_range")
        #expect(try await probe("icmp://\(Upstream.address)").outcome == .skipped)
        try client.run("sh", "-c", "echo '0 2147483647' > /proc/sys/net/ipv4/ping_group_range")
        for host in [Upstream.address, "[\(Upstream.address6)]"] {
            let result = try await probe("icmp://\(host)", interface: "up1")
            #expect(result.outcome == .success, "\(result)")
        }
        try upstream.dropAll()
        let unheard = try await probe("icmp://\(Upstream.address)", timeout: .milliseconds(300))
        #expect(unheard.outcome == .failure)
        #expect(unheard.failedPhase == .connect, "nothing came back: \(unheard)")
    }

    @Test("a TCP target needs a port", arguments: ["tcp://host", "tcp://host:0", "tcp://host:70000"])
    func noPort(url: String) {
        #expect(throws: TargetError.self) { try Target(url) }
    }
}
