import TestSupport
import Testing

@Suite(
    "Options mean the same in every command",
    .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"), .timeLimit(.minutes(2)))
struct OptionTests {
    /// A way out, and no host that answers beyond it.
    private static func silence() throws -> Uplink {
        let uplink = try Uplink()
        try uplink.connect()
        try uplink.namespace.ip("neighbour add 192.0.2.1 lladdr 02:00:00:00:00:01 dev up0")
        return uplink
    }

    @Test(
        "--timeout is how long the command may take",
        arguments: [
            // Whether it is the target or the way is not known before others have had their time to answer, too.
            (["status", "--probe", "http://198.51.100.1/"], 6),
            (["wait", "--probe", "http://198.51.100.1/"], 6),
            (["explain", "http://198.51.100.1/"], 3), (["get", "http://198.51.100.1/"], 7),
        ] as [([String], Int32)])
    func timeout(command: [String], status: Int32) async throws {
        let uplink = try Self.silence()
        var least = Duration.seconds(60)
        // Without it each takes three seconds or more. A busy machine may be as long in starting it: the shortest of a few counts.
        for _ in 0..<5 where least >= .seconds(3) {
            let start = ContinuousClock.now
            let outcome = try await Netwatch.run(command + ["--timeout", "500ms"], in: uplink.namespace)
            least = min(least, start.duration(to: .now))
            #expect(outcome.status == status, "\(outcome)")
        }
        #expect(least < .seconds(3))
    }

    @Test(
        "--probe-timeout is how long a probe may take, and --limit a size", arguments: ["--json", "status", "record"])
    func probeTimeout(command: String) async throws {
        let uplink = try Self.silence()
        let arguments = command == "record" ? ["record", "/dev/null", "--limit", "1M"] : [command]
        let run = try ProgramRun(
            [Netwatch.path] + arguments + ["--json", "--probe-timeout", "100ms", "--probe", "http://198.51.100.1/"],
            in: uplink.namespace)
        let line = try await run.line { $0.contains("connect-timeout") }
        #expect(line.contains("\"local\""))
        let refused = try await Netwatch.run(["get", "--limit", "3s", "http://198.51.100.1/"])
        #expect(refused.status == 64)
    }

    @Test("-j, -q, -i, -4 and -6 are the short forms")
    func shortForms() async throws {
        let uplink = try Self.silence()
        let namespace = uplink.namespace
        let state = try await Netwatch.run(["status", "-j", "--no-probe"], in: namespace)
        #expect(try JSONLine(#require(state.lines.first)).reachability == "ethernet")
        let quiet = try await Netwatch.run(
            ["wait", "-q", "--for", "wifi", "--no-probe", "--timeout", "20ms"], in: namespace)
        #expect(quiet.errorText == "" && quiet.status == 3)
        for command in [["get"], ["explain", "--timeout", "300ms"]] {
            let elsewhere = try await Netwatch.run(
                command + ["-i", "nope0", "-4", "http://198.51.100.1/"], in: namespace)
            #expect((elsewhere.lines.joined() + elsewhere.errorText).contains("nope0"))
        }
        let newer = try await Netwatch.run(["explain", "-6", "-j", "http://198.51.100.1/"], in: namespace)
        #expect(newer.status == 3 || newer.status == 4, "\(newer)")
    }

    @Test(
        "an interface that can have no such name is a mistake of the command line",
        arguments: ["", "a/b", "sixteen-letters0"])
    func impossibleInterface(name: String) async throws {
        for command in [["status"], ["explain"], ["get", "http://192.0.2.1/"]] {
            let outcome = try await Netwatch.run(command + ["--interface", name])
            #expect(outcome.status == 64 && outcome.errorText.contains("no interface can be called so"), "\(outcome)")
        }
    }

    @Test("-4, -6 and --family exclude each other", arguments: [["-4", "-6"], ["-4", "--family", "ipv6"]])
    func families(options: [String]) async throws {
        for command in [["status"], ["explain"], ["get", "http://192.0.2.1/"]] {
            let outcome = try await Netwatch.run(command + options)
            #expect(outcome.status == 64)
            #expect(outcome.errorText.contains("exclude each other"))
        }
        let alike = ["status", "--probe", "http://127.0.0.1:9/", "--timeout", "50ms", "-4", "--family", "ipv4"]
        #expect(try await Netwatch.run(alike).status != 64)
    }
}
