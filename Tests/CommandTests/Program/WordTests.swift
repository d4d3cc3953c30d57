import Foundation
import SystemPackage
import TestSupport
import Testing

/// Each sentence in the situation that it is for, and not in the one beside it.
@Suite(
    "What the program says is so",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(3)))
struct WordTests {
    private static let (good, bad, refused) = ("http://192.0.2.2/good", "http://192.0.2.2/bad", "http://192.0.2.2:81/")
    private static let gateway = "IPv4 via 192.0.2.1 dev up0"

    /// A host with a way out behind which no host is, and a server of its own.
    private struct World {
        let uplink: Uplink
        private let server: NginxServer

        init() throws {
            uplink = try Uplink()
            try uplink.connect()
            server = try NginxServer(
                in: uplink.namespace, port: 80,
                locations: """
                    location /good { return 204; } location /bad { return 503; }
                    location /portal { return 302 http://login.test/; }
                    """)
        }

        /// Behind the link, another host that answers at 192.0.2.7.
        func addNeighbour() throws -> (TestNamespace, NginxServer) {
            let neighbour = try TestNamespace()
            try uplink.namespace.run("ip", "link", "set", "far0", "netns", neighbour.path)
            try neighbour.ip("address add 192.0.2.7/24 dev far0\nlink set far0 up")
            return (neighbour, try NginxServer(in: neighbour, port: 80, locations: "location / { return 204; }"))
        }

        func status(_ targets: String..., options: [String] = []) async throws -> (Int32, String) {
            let outcome = try await run("status", targets.flatMap { ["--probe", $0] } + ["--timeout", "8s"] + options)
            #expect(outcome.errorText == "" && outcome.lines.count == 1, "\(outcome)")
            return (outcome.status, outcome.lines.first ?? "")
        }

        func run(_ command: String, _ arguments: [String]) async throws -> Netwatch.Outcome {
            try await Netwatch.run([command] + arguments, in: uplink.namespace)
        }

        func forbidEchoes() throws {
            try uplink.namespace.run("sh", "-c", "echo '1 0' > /proc/sys/net/ipv4/ping_group_range")
        }
    }

    @Test("a path that nobody probes is told as such, with the next router as ip writes it")
    func notProbed() async throws {
        let world = try World()
        let status = try await world.run("status", ["--no-probe"])
        #expect(status.lines == ["ethernet via up0, not probed  \(Self.gateway)"])
        #expect(status.status == 0)
        let run = try Netwatch.start("--no-probe", in: world.uplink.namespace)
        let line = try await run.line(0)
        #expect(line.contains("  ethernet via up0, not probed  \(Self.gateway)  "), "\(line)")
        #expect(!line.contains("unknown") && !line.contains("(192.0.2.1)"), "\(line)")
    }

    @Test("a path for a part of the addresses only is told as such")
    func part() async throws {
        let world = try World()
        try world.uplink.namespace.ip("route add 0.0.0.0/1 via 192.0.2.1 dev up0\nroute del default")
        let status = try await world.run("status", ["--no-probe"])
        let why = "parts of the address space leave by different ways, or not at all"
        #expect(status.lines == ["ethernet via up0 (split), not probed  \(Self.gateway)  \(why)"])
        #expect(status.status == 0)
    }

    @Test("a path without a next router names none")
    func noGateway() async throws {
        let world = try World()
        try world.uplink.namespace.ip("route replace default dev up0 scope link")
        let status = try await world.run("status", ["--no-probe"])
        #expect(status.lines == ["ethernet via up0, not probed"])
        let explained = try await world.run("explain", ["http://198.51.100.1/", "--timeout", "500ms"])
        #expect(
            explained.lines.contains("  ok  route       default dev up0, in table main"), "\(explained.lines)")
    }

    @Test("a target that does not answer is named with its reason, and some are only some where others do")
    func some() async throws {
        let world = try World()
        let one = try await world.status(Self.bad)
        #expect(one.0 == 3)
        #expect(one.1.contains("the target does not answer as expected: \(Self.bad) (unexpected-status)"), "\(one)")
        let two = try await world.status("shop=\(Self.good)", "bank=\(Self.refused)")
        #expect(two.0 == 3)
        #expect(two.1.contains("some of what was asked for does not answer: bank (connection-refused)"), "\(two)")
        #expect(!two.1.contains("shop"), "\(two)")
        let none = try await world.status("shop=\(Self.bad)", "bank=\(Self.refused)")
        #expect(none.1.contains("no target answers as expected: "), "\(none)")
        #expect(none.1.contains("shop (unexpected-status)") && none.1.contains("bank (connection-refused)"), "\(none)")
        for line in [one.1, none.1] { #expect(!line.contains("some of"), "\(line)") }
        let all = try await world.status(Self.good)
        #expect(all.0 == 0 && all.1.hasSuffix("all that was asked for answers"), "\(all)")
    }

    @Test("all is not said where a policy is content with less")
    func policy() async throws {
        let world = try World()
        let folder = try TemporaryFolder()
        let json = """
            {"policy": "any", "targets": [{"name": "shop", "url": "\(Self.good)"}, {"name": "bank", "url": "\(Self.bad)"}]}
            """
        let file = try folder.write(json.utf8, to: "netwatch.json").string
        let run = try Netwatch.start("wait", "--for", "shop", "--config", file, in: world.uplink.namespace)
        #expect(try await run.end() == 0)
        let outcome = try await world.run("status", ["--config", file])
        #expect(outcome.status == 0)
        // Whichever answers first: the other one has not, or has failed.
        let line = try #require(outcome.lines.first)
        #expect(!line.contains("all that was asked"), "\(line)")
        #expect(
            line.contains("enough of what was asked for answers: bank") || line.contains("not answered yet"), "\(line)")
    }

    @Test("a target on this network that answers is told where nobody behind the gateway does")
    func local() async throws {
        let world = try World()
        let neighbour = try world.addNeighbour()
        let near = "near=http://192.0.2.7/"
        let both = try await world.status(near, "far=http://198.51.100.9/")
        #expect(both.0 == 3)
        #expect(both.1.hasPrefix("local  ethernet via up0  "), "\(both)")
        #expect(both.1.contains("only this network answers"), "\(both)")
        #expect(!both.1.contains("no target"), "\(both)")
        let far = try await world.status("far=http://198.51.100.9/")
        #expect(far.1.contains("there is a path, and the target does not answer"), "\(far)")
        withExtendedLifetime(neighbour) {}
    }

    @Test("an echo that this host may not send is no answer and no failure, and the line says how to allow it")
    func echoes() async throws {
        let world = try World()
        try world.forbidEchoes()
        let sysctl = "sysctl net.ipv4.ping_group_range"
        let only = try await world.status("router=icmp://192.0.2.2")
        #expect(only.0 == 6)
        #expect(only.1.hasPrefix("unknown  "), "\(only)")
        #expect(only.1.contains("nothing could be asked: router (") && only.1.contains(sysctl), "\(only)")
        let both = try await world.status("router=icmp://192.0.2.2", "shop=\(Self.good)")
        #expect(both.0 == 3)
        #expect(both.1.contains("all that could be asked answers") && both.1.contains(sysctl), "\(both)")
        #expect(!both.1.contains("all that was asked for"), "\(both)")
        let json = try await world.run("status", ["--json", "--probe", "icmp://192.0.2.2"])
        let line = try #require(json.lines.first)
        for part in [#""status":"unknown""#, #""blame":"self""#, #""reason":"not-permitted""#] {
            #expect(line.contains(part), "\(line)")
        }
        let wait = try await world.run("wait", ["--timeout", "2s", "--probe", "icmp://192.0.2.2"])
        #expect(wait.status == 6)
        #expect(wait.errorText.contains(sysctl), "\(wait)")
        let mixed = ["--timeout", "1s", "--probe", "icmp://192.0.2.2", "--probe", Self.good]
        #expect(try await world.run("wait", mixed).status == 3)
        let explained = try await world.run("explain", ["icmp://192.0.2.2"])
        #expect(explained.status == 6, "\(explained)")
        #expect(explained.lines.contains { $0.contains(sysctl) }, "\(explained)")
    }

    @Test("wait says what there is in place of what was wanted")
    func instead() async throws {
        let world = try World()
        let wifi = try await world.run("wait", ["--for", "wifi", "--no-probe", "--timeout", "1s"])
        #expect(wifi.status == 3)
        #expect(
            wifi.errorText.hasPrefix(
                "netwatch: not within 1 s: wanted wifi, there is ethernet via up0, not probed, \(Self.gateway)"),
            "\(wifi)")
        let full = try await world.run("wait", ["--probe", "bank=\(Self.bad)", "--timeout", "2500ms"])
        #expect(full.status == 3)
        #expect(full.errorText.hasPrefix("netwatch: not within 2.5 s: wanted full, there is limited,"), "\(full)")
        #expect(full.errorText.contains("bank (unexpected-status)"), "\(full)")
        let portal = try await world.run("wait", ["--for", "portal", "--probe", Self.good, "--timeout", "2s"])
        #expect(portal.status == 3)
        #expect(portal.errorText.contains("wanted portal, there is full,"), "\(portal)")
    }

    @Test("wait for what nothing can be said of in time is 6")
    func undecided() async throws {
        let world = try World()
        // No host has this address: the first probe is still under way.
        for goal in [["--for", "far"], []] {
            let outcome = try await world.run(
                "wait", goal + ["--probe", "far=http://192.0.2.99/", "--timeout", "300ms", "--probe-timeout", "20s"])
            #expect(outcome.status == 6, "\(outcome)")
            #expect(outcome.errorText.contains("no probe has ended yet"), "\(outcome)")
        }
    }

    @Test("explain localhost asks this host, online and offline, and no name server")
    func localhost() async throws {
        let world = try World()
        let offline = try TestNamespace()
        try offline.ip("link set lo up")
        let server = try NginxServer(in: offline, port: 80, locations: "location / { return 204; }")
        try world.uplink.namespace.ip("link set lo up")
        for namespace in [world.uplink.namespace, offline] {
            let outcome = try await Netwatch.run(["explain", "http://localhost/good"], in: namespace)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.lines.contains { $0.hasPrefix("  ok  names       localhost is ") }, "\(outcome)")
            #expect(outcome.lines.contains { $0.hasPrefix("  ok  http        answered 204") }, "\(outcome)")
            #expect(!outcome.lines.contains { $0.contains("asked ") }, "\(outcome)")
        }
        withExtendedLifetime(server) {}
    }

    @Test("times are told as people say them")
    func times() async throws {
        let world = try World()
        let outcome = try await world.run("explain", ["http://192.0.2.99/", "--timeout", "1300ms"])
        #expect(!outcome.lines.contains { $0.contains("seconds") }, "\(outcome)")
        let run = try Netwatch.start("--probe", "http://192.0.2.99/", "--timeout", "1500ms", in: world.uplink.namespace)
        let line = try await run.line { $0.contains("local") }
        #expect(!line.contains("seconds"), "\(line)")
    }
}
