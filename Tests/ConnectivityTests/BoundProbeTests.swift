import Connectivity
import EventLoop
import Foundation
import Netwatch
import Synchronization
import TestSupport
import Testing

/// Probes bound to the spare uplink, where no rule leads there: others bind to its address, and the packets leave by the
/// best route all the same. `make bench` does it with 10,000, as another user too.
@Suite(
    "Bound probes", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(5)))
struct BoundProbeTests {
    private static let probes: UInt64 = 1000

    @Test("each leaves by the spare, and not one packet by the other", arguments: [true, false])
    func bound(isPrivileged: Bool) async throws {
        let client = try TestNamespace()
        // What the kernel says by itself to its neighbours would be counted too, and it says it again later.
        try client.run("sysctl", "-qw", "net.ipv6.conf.default.disable_ipv6=1")
        let first = try Upstream("up1", number: 1, of: client, metric: 100)
        let second = try Upstream("up2", number: 2, of: client, metric: 200)
        try client.countPackets(by: "up1")
        let loop = try EventLoop(networkNamespace: client.descriptor)
        if !isPrivileged {
            loop.dropPrivileges()
            #expect(await loop.threadStatus().contains("CapEff:\t0000000000000000"))
        }
        var configuration = ConnectivityConfiguration(
            targets: try (0..<20).map { try Target("http://\(Upstream.address)/\($0)", expectation: .noContent) })
        for index in configuration.targets.indices { configuration.targets[index].interface = "up2" }
        configuration.interval = .milliseconds(10)
        configuration.timeout = .seconds(20)
        let before = try client.sentPackets("up2")
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        try await monitor.start()
        try await expectSoon { monitor.statistics.results[.success, default: 0] >= Self.probes }
        let after = try client.sentPackets("up2")
        await monitor.stop()
        #expect(monitor.statistics.results[.failure] == nil)
        let sent = try client.run("nft", "list", "table", "ip", "sent")
        #expect(sent.contains("counter packets 0 ") && !sent.contains(/packets [1-9]/), "\(sent)")
        // A connection is at least a SYN, its ACK, the request and a FIN.
        #expect(after >= before + 4 * Int(Self.probes))
        #expect(try client.openedConnections() >= Int(Self.probes))
        #expect(first.web.accessLog.isEmpty)
        #expect(try await second.web.logged(Int(Self.probes)) >= Int(Self.probes))
    }
}

extension TestNamespace {
    /// Counts what leaves by a link; not resets: what comes for a connection that is gone the kernel refuses by the best route.
    fileprivate func countPackets(by link: String) throws {
        try run("nft", "add", "table", "ip", "sent")
        try run("nft", "add chain ip sent out { type filter hook output priority 0 ; }")
        try run("nft", "add rule ip sent out oifname \(link) tcp flags & rst == 0 counter")
        try run("nft", "add rule ip sent out oifname \(link) meta l4proto != tcp counter")
    }

    /// How many packets a link has sent.
    fileprivate func sentPackets(_ link: String) throws -> Int {
        struct Link: Decodable {
            struct Statistics: Decodable { var tx: Counts }
            struct Counts: Decodable { var packets: Int }
            var stats64: Statistics
        }
        let text = try run("ip", "-json", "-statistics", "link", "show", "dev", link)
        return try #require(try JSONDecoder().decode([Link].self, from: Data(text.utf8)).first).stats64.tx.packets
    }

    /// How many TCP connections were opened from here (RFC 4022, tcpActiveOpens).
    fileprivate func openedConnections() throws -> Int {
        let rows = try run("cat", "/proc/net/snmp").split(separator: "\n").filter { $0.hasPrefix("Tcp:") }
            .map { $0.split(separator: " ") }
        let column = try #require(rows.first?.firstIndex(of: "ActiveOpens"))
        return try #require(Int(rows[1][column]))
    }
}
