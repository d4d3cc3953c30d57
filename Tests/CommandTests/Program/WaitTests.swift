import SystemPackage
import TestSupport
import Testing

@Suite(
    "netwatch wait",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(2)))
struct WaitTests {
    private static let (good, bad) = ("http://192.0.2.2/good", "http://192.0.2.2:81/")

    private func wait(_ uplink: Uplink, _ arguments: String...) async throws -> Netwatch.Outcome {
        try await Netwatch.run(["wait"] + arguments, in: uplink.namespace)
    }

    private func server(_ uplink: Uplink) throws -> NginxServer {
        try uplink.connect()
        return try NginxServer(
            in: uplink.namespace, port: 80,
            locations: "location /good { return 204; } location /portal { return 302 http://login.test/; }")
    }

    @Test("wait ends as soon as there is a path")
    func reached() async throws {
        let uplink = try Uplink()
        let run = try Netwatch.start("wait", "--for", "path", "--no-probe", "--timeout", "60s", in: uplink.namespace)
        try uplink.connect()
        #expect(try await run.end() == 0)
        #expect(run.errorText == "")
    }

    @Test("without a network, wait for a server on this host ends with its answer and not with the next batch of news")
    func local() async throws {
        let namespace = try TestNamespace()
        let server = try NginxServer(in: namespace, port: 80, locations: "location / { return 204; }")
        let outcome = try await Netwatch.run(
            ["wait", "--for", "http://127.0.0.1/", "--timeout", "4500ms"], in: namespace)
        #expect(outcome.status == 0, "\(outcome)")
        withExtendedLifetime(server) {}
    }

    @Test("wait for a URL with a password ends with its answer, and tells nobody the password")
    func password() async throws {
        let uplink = try Uplink()
        let server = try server(uplink)
        let url = Self.good.replacing("//", with: "//me:secret@")
        let outcome = try await Netwatch.run(["wait", "--for", url, "--timeout", "20s"], in: uplink.namespace)
        #expect(outcome.status == 0, "\(outcome)")
        let missed = try await Netwatch.run(
            ["wait", "--for", url.replacing("good", with: "portal"), "--timeout", "3s"], in: uplink.namespace)
        #expect(missed.status != 0)
        #expect(!missed.errorText.contains("secret"), "\(missed)")
        withExtendedLifetime(server) {}
    }

    @Test("wait says what is missing when the time is over", arguments: [("path", Int32(4)), ("wifi", 4)])
    func missed(goal: String, status: Int32) async throws {
        let namespace = try TestNamespace()
        let arguments = ["wait", "--for", goal, "--no-probe", "--timeout", "50ms"]
        let outcome = try await Netwatch.run(arguments, in: namespace)
        #expect(outcome.status == status)
        #expect(outcome.errorText.contains("no route leads out"))
        let quiet = try await Netwatch.run(arguments + ["--quiet"], in: namespace)
        #expect(quiet.status == status)
        #expect(quiet.errorText == "")
        #expect(quiet.lines.isEmpty)
    }

    @Test("wait names what each interface still lacks")
    func shortfalls() async throws {
        let (namespace, peer) = (try TestNamespace(), try TestNamespace())
        try namespace.ip(
            """
            link add up0 type veth peer name far0 netns \(peer.path)
            link add up1 type veth peer name far1 netns \(peer.path)
            link add up2 type veth peer name far2 netns \(peer.path)
            link set up0 addrgenmode none
            link set up1 addrgenmode none
            address add 192.0.2.1/24 dev up0
            address add 192.0.3.1/24 dev up1
            address add 192.0.4.1/24 dev up2
            link set up0 up
            link set up1 up
            """)
        try peer.ip("link set far0 up")
        // The kernel takes up to a second until a link that has its carrier is in operation.
        try await expectSoon { try namespace.run("ip", "-o", "link", "show", "up0").contains("state UP") }
        let outcome = try await Netwatch.run(
            ["wait", "--for", "path", "--no-probe", "--timeout", "50ms"], in: namespace)
        #expect(outcome.status == 4)
        for words in ["up0: carrier, no IPv4 default route, no IPv6 address", "up1: no carrier", "up2: switched off"] {
            #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
        }
    }

    @Test("wait for Wi-Fi is not satisfied by a cable, and says by what traffic leaves")
    func otherMedium() async throws {
        let uplink = try Uplink()
        try uplink.connect()
        let outcome = try await wait(uplink, "--for", "wifi", "--no-probe", "--timeout", "50ms")
        #expect(outcome.status == 3)
        #expect(outcome.errorText.contains("ethernet via up0"))
    }

    @Test("wait for a target by its name ends with it, whatever the others do")
    func namedTarget() async throws {
        let uplink = try Uplink()
        let server = try server(uplink)
        let targets = ["--probe", "shop=\(Self.good)", "--probe", "bank=\(Self.bad)"]
        let up = try await Netwatch.run(["wait", "--for", "shop", "--timeout", "60s"] + targets, in: uplink.namespace)
        #expect(up.status == 0, "\(up.errorText)")
        let down = try await Netwatch.run(["wait", "--for", "bank", "--timeout", "2s"] + targets, in: uplink.namespace)
        #expect(down.status == 3)
        #expect(down.errorText.contains("bank is "), "\(down.errorText)")
        #expect(down.errorText.contains("connection-refused"), "\(down.errorText)")
        withExtendedLifetime(server) {}
    }

    @Test("wait for a URL probes it and nothing else")
    func url() async throws {
        let uplink = try Uplink()
        let server = try server(uplink)
        #expect(try await wait(uplink, "--for", Self.good, "--timeout", "60s").status == 0)
        #expect(server.accessLog.allSatisfy { $0.hasPrefix("GET /good ") })
        let bad = try await wait(uplink, "--for", Self.bad, "--timeout", "5s")
        #expect(bad.status == 3, "\(bad.errorText)")
    }

    @Test("wait for a URL probes it whatever a file says of probes, and every address where that is asked for")
    func urlWithOptions() async throws {
        let uplink = try Uplink()
        let server = try server(uplink)
        let folder = try TemporaryFolder()
        let silent = try folder.write("probes: false\n".utf8, to: "silent.yaml").string
        let file = try await wait(uplink, "--config", silent, "--for", Self.good, "--timeout", "10s")
        #expect(file.status == 0, "\(file.errorText)")
        let before = server.accessLog.count
        try uplink.namespace.ip("address add 192.0.2.3/24 dev up0")
        let hosts = try folder.write("192.0.2.2 two.test\n192.0.2.3 two.test\n".utf8, to: "hosts").string
        let script = "mount --bind '\(hosts)' /etc/hosts && exec \"$@\""
        let each = try await Netwatch.run(
            command: [
                "unshare", "--mount", "sh", "-c", script, "sh", Netwatch.path, "wait", "--for", "http://two.test/good",
                "--each-address", "--timeout", "20s",
            ], in: uplink.namespace)
        #expect(each.status == 0, "\(each.errorText)")
        try await expectSoon("a request to each address", within: .seconds(5)) {
            server.accessLog.count >= before + 2
        }
    }

    @Test("wait for what needs probes is refused where a file has none", arguments: ["full", "here"])
    func withoutProbes(goal: String) async throws {
        let folder = try TemporaryFolder()
        let yaml = "probes: false\ntargets: [{name: here, url: 'http://192.0.2.2/'}]\n"
        let file = try folder.write(yaml.utf8, to: "silent.yaml").string
        let outcome = try await Netwatch.run(
            ["wait", "--config", file, "--for", goal, "--timeout", "2s"], in: try TestNamespace())
        #expect(outcome.status == 64 && outcome.errorText.contains("probes: false"), "\(outcome)")
    }

    @Test("wait for all behind a portal is 5, and says where to sign in")
    func portal() async throws {
        let uplink = try Uplink()
        let server = try server(uplink)
        let portal = "http://192.0.2.2/portal"
        let outcome = try await wait(uplink, "--probe", portal, "--timeout", "10s")
        #expect(outcome.status == 5, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("http://login.test/"))
        #expect(try await wait(uplink, "--probe", portal, "--for", "portal", "--timeout", "60s").status == 0)
        withExtendedLifetime(server) {}
    }

    @Test(
        "wait refuses what cannot come true",
        arguments: [
            (["--for", "shop"], "there is no target 'shop'"), (["--for", "full", "--no-probe"], "without probes"),
            (["--for", "path", "-6"], "-6 is for probes"),
            (["--for", "wifi", "-i", "w0"], "--interface is for probes"),
            (["--for", "http://a b/"], "not a URL"), (["--timeout", "0s"], "longer than nothing"),
        ])
    func mistakes(arguments: [String], text: String) async throws {
        let outcome = try await Netwatch.run(["wait"] + arguments, in: try TestNamespace())
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains(text), "\(outcome.errorText)")
    }
}
