import Glibc
import TestSupport
import Testing

@Suite(
    "netwatch and news that was lost",
    .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(10)))
struct OverrunTests {
    /// More than its receive buffer holds.
    private static let flood = (0..<12_000).map { "link set lo mtu \(60000 + $0 % 2)" }.joined(separator: "\n")

    @Test("D4 an overrun writes no line of its own, and the counters are exact")
    func d4Overruns() async throws {
        let (uplink, run, base) = try await serve()
        let rounds = 5
        for round in 1...rounds {
            let before = try #require(try Self.metric("netwatch_netlink_overruns_total", base, uplink))
            run.send(SIGSTOP)
            try uplink.namespace.ip(Self.flood)
            run.send(SIGCONT)
            // More than one, where the buffer runs full again while it is read.
            _ = try await run.wait(for: "overrun \(round)") {
                try Self.metric("netwatch_netlink_overruns_total", base, uplink).map { $0 > before } == true
                    ? true : nil
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

    @Test("while lost news is made up for /readyz is 503 and says why, then 200 again")
    func readiness() async throws {
        let (uplink, run, base) = try await serve()
        let port = try #require(base.firstMatch(of: /:(\d+)\//)?.1)
        var answers: [String] = []
        // The time it takes is short: it is asked hundreds of times meanwhile, over a connection that is there already.
        for _ in 0..<40 where !answers.contains("503") {
            run.send(SIGSTOP)
            try uplink.namespace.ip(Self.flood)
            let client = try ProgramRun(
                ["curl", "-s", "-m", "60", "-w", "\n%{http_code}\n", "\(base)readyz?n=[1-500]"], in: uplink.namespace)
            _ = try await client.wait(for: "the connection") {
                try uplink.namespace.run("ss", "-tnH", "state", "established", "dport", "=", ":\(port)").isEmpty
                    ? nil : true
            }
            run.send(SIGCONT)
            #expect(try await client.end() == 0)
            answers = client.lines
        }
        #expect(answers.contains("503"))
        #expect(answers.contains("[-]resync failed: the state is being read anew (overrun)"))
        #expect(answers.contains("[+]first-dump ok"))
        _ = try await run.wait(for: "the end of it") {
            try uplink.namespace.run("curl", "-s", "-m", "20", "\(base)readyz") == "ok" ? true : nil
        }
        #expect(try uplink.namespace.run("curl", "-s", "-m", "20", "\(base)livez") == "ok")
        run.send(SIGTERM)
        #expect(try await run.end() == 0)
    }

    /// The program, watching and serving in a namespace with a way out.
    private func serve() async throws -> (uplink: Uplink, run: ProgramRun, base: String) {
        let uplink = try Uplink()
        // Its link-local address would come a second or two later, as a change of the path.
        try uplink.namespace.ip("link set up0 addrgenmode none")
        try uplink.connect()
        let run = try Netwatch.start("--json", "--no-probe", "--listen", "127.0.0.1:0", in: uplink.namespace)
        let base = try await run.wait(for: "the address") {
            run.errorText.firstMatch(of: /listening on (http:\S+)\n/).map { String($0.1) }
        }
        _ = try await run.line { $0.contains(#""reachability":"ethernet""#) }
        return (uplink, run, base)
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
