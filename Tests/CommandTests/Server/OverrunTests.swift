#if Service
import Glibc
import TestSupport
import Testing

@Suite(
    "netwatch and news that was lost",
    .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(2)))
struct OverrunTests {
    /// More than its receive buffer holds.
    private static let flood = (0..<12_000).map { "link set lo mtu \(60000 + $0 % 2)" }.joined(separator: "\n")

    @Test("D4 an overrun writes no line of its own, and the counters are exact")
    func d4Overruns() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let run = try Netwatch.start("--json", "--no-probe", "--listen", "127.0.0.1:0", in: uplink.namespace)
        let base = try await run.wait(for: "the address") {
            run.errorText.firstMatch(of: /listening on (http:\S+)\n/).map { String($0.1) }
        }
        _ = try await run.line { $0.contains(#""reachability":"ethernet""#) }
        let rounds = 5
        for round in 1...rounds {
            run.send(SIGSTOP)
            try uplink.namespace.ip(Self.flood)
            run.send(SIGCONT)
            _ = try await run.wait(for: "overrun \(round)") {
                try Self.metric("netwatch_netlink_overruns_total", base, uplink) == round ? true : nil
            }
            _ = try await run.wait(for: "repair \(round)") {
                try Self.metric("netwatch_netlink_resync_pending", base, uplink) == 0 ? true : nil
            }
        }
        #expect(try Self.metric("netwatch_netlink_dropped_messages_total", base, uplink) == Self.drops(in: uplink))
        // Nothing was lost that changed the path: neither a line on one stream nor on the other.
        #expect(run.lines.count == 1)
        #expect(run.errorText.split(separator: "\n").count == 1)
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    private static func metric(_ name: String, _ base: String, _ uplink: Uplink) throws -> Int? {
        let text = try uplink.namespace.run("curl", "-s", "-m", "20", "\(base)metrics")
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
    }

    /// What the kernel has dropped for the sockets in the namespace, the last column but one of its list.
    private static func drops(in uplink: Uplink) throws -> Int {
        try uplink.namespace.run("cat", "/proc/thread-self/net/netlink").split(separator: "\n").dropFirst()
            .compactMap { line in line.split(separator: " ").dropLast().last.flatMap { Int($0) } }.reduce(0, +)
    }
}
#endif
