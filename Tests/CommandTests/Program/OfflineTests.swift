import Foundation
import TestSupport
import Testing

@Suite(
    "netwatch on a host that is offline", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"),
    .timeLimit(.minutes(2)))
struct OfflineTests {
    @Test("is ready, says why, and sends nothing, neither probes nor questions to name servers")
    func offline() async throws {
        let uplink = try Uplink()
        // What the kernel says by itself to its neighbours would be counted too.
        try uplink.namespace.run(
            "sh", "-c", "for link in up0 far0; do echo 1 > /proc/sys/net/ipv6/conf/$link/disable_ipv6; done")
        try uplink.namespace.ip("address add 192.0.2.2/24 dev up0\nlink set up0 up")
        let before = try Self.sentPackets(uplink)
        // By the default targets, which are names.
        let run = try Netwatch.start("--json", "--listen", "127.0.0.1:0", in: uplink.namespace)
        let line = try await run.line(0)
        let first = try JSONLine(line)
        #expect(first.kind == "snapshot")
        #expect((first.reachability, first.connectivity) == ("none", "none"))
        #expect(line.contains(#""reason":"no-route""#), "\(line)")
        let base = try await run.wait(for: "the address") {
            run.errorText.firstMatch(of: /listening on (http:\S+)\n/).map { String($0.1) }
        }
        #expect(try uplink.namespace.run("curl", "-s", "-m", "20", "\(base)readyz") == "ok")
        #expect(try uplink.namespace.run("curl", "-s", "-m", "20", "\(base)health").contains("no route leads out"))
        let metrics = try uplink.namespace.run("curl", "-s", "-m", "20", "\(base)metrics")
        #expect(metrics.contains("\nnetwatch_probes_started_total 0\n"))
        #expect(try Self.sentPackets(uplink) == before)
        #expect(run.lines.count == 1)
    }

    private static func sentPackets(_ uplink: Uplink) throws -> String {
        try uplink.namespace.run("awk", "$1 == \"up0:\" { print $11 }", "/proc/net/dev")
    }
}
