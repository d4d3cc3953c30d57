import NetworkAddress
import Reachability
import TestSupport
import Testing

/// What is reached by a route of its own while there is no way out.
@Suite("Routes of their own", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct OwnRouteTests {
    /// A host without a default route that asks about addresses besides.
    private func host(_ others: String...) async throws -> Host {
        var configuration = PathMonitor.Configuration()
        configuration.others = others.compactMap { IPAddress($0) }
        let host = try Host(configuration)
        try host.addUplink(0)
        try await host.start()
        await host.wait { $0.interface("w0")?.operationalState == "up" }
        return host
    }

    @Test("a route to a private network is told as it comes and goes, while there is no way out and never beside one")
    func comesAndGoes() async throws {
        let host = try await host("10.1.2.3", "10.9.9.9", "203.0.113.1")
        #expect(host.path.status == .none && host.path.routes.isEmpty)
        host.log.clear()
        try host.near.ip("route add 10.0.0.0/8 via 192.0.0.1 dev w0")
        await host.wait { $0.routes.map(\.description) == ["10.0.0.0/8"] }
        #expect(host.path.status == .none && host.path.reason == .noRoute)
        #expect(host.log.updates.map(\.cause.kind) == [.route])
        try host.setDefault(.ipv4, to: 0)
        await host.wait(for: .ethernet)
        #expect(host.path.routes.isEmpty)
        try host.deleteDefault(.ipv4, of: 0)
        await host.wait { $0.status == .none && !$0.routes.isEmpty }
        host.log.clear()
        try host.near.ip("route delete 10.0.0.0/8")
        await host.wait { $0.routes.isEmpty }
        #expect(host.log.updates.map(\.cause.kind) == [.route])
    }

    @Test("such a route without its carrier leads nowhere, nor does one that rejects")
    func leadsNowhere() async throws {
        let host = try await host("10.1.2.3", "172.16.0.1")
        try host.near.ip("route add 10.0.0.0/8 via 192.0.0.1 dev w0\nroute add blackhole 172.16.0.0/12")
        await host.wait { $0.routes.map(\.description) == ["10.0.0.0/8"] }
        try host.far.ip("link set p0 down")
        await host.wait { $0.routes.isEmpty }
    }

    @Test("an address of this host's own is one, and the loopback no interface of the path")
    func ownAddress() async throws {
        let host = try await host("10.1.2.3")
        try host.near.ip("link set lo up\naddress add 10.1.2.3/32 dev lo")
        await host.wait { $0.routes.map(\.description) == ["10.1.2.3/32"] }
        #expect(host.path.interface(named: "lo") == nil)
        #expect(host.log.updates.last.map { [.route, .address].contains($0.cause.kind) } == true)
    }

    @Test("other places may be asked about later")
    func asksLater() async throws {
        let host = try await host()
        try host.near.ip("route add fd00:9::/32 via 2001:db8:0::1 dev w0")
        await host.monitor.ask(about: [try #require(IPAddress("fd00:9::1"))])
        await host.wait { $0.routes.map(\.description) == ["fd00:9::/32"] }
        #expect(host.log.updates.last?.cause.kind == .request)
        await host.monitor.ask(about: [])
        await host.wait { $0.routes.isEmpty }
    }
}
