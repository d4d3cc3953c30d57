import Foundation
import TestSupport
import Testing

/// Each fault of the issue is made for real, and the program has to name it, for people and for programs.
@Suite(
    "netwatch explain", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(3)))
struct ExplainTests {
    /// A host with a link to a router, and behind that a name server and a web server that it knows as `check.test`.
    private struct World {
        static let server = "10.99.0.1"
        let client: TestNamespace
        let router: TestNamespace
        let web: NginxServer
        let folder: TemporaryFolder
        var names: BackgroundProcess?

        init(location: String = "location / { return 204; }", certificate: IssuedCertificate? = nil) throws {
            client = try TestNamespace()
            router = try TestNamespace()
            folder = try TemporaryFolder()
            try client.run("ip", "link", "add", "up0", "type", "veth", "peer", "name", "router", "netns", router.path)
            try router.ip(
                """
                address add 10.1.0.1/24 dev router
                address add fd00:1::1/64 dev router nodad
                link set router up
                address add \(Self.server)/32 dev lo
                address add fd99::1/128 dev lo nodad
                """)
            try client.ip(
                """
                address add 10.1.0.2/24 dev up0
                address add fd00:1::2/64 dev up0 nodad
                link set up0 up
                route add default via 10.1.0.1 dev up0
                route add default via fd00:1::1 dev up0
                """)
            let tls = certificate.map {
                "server { listen 443 ssl; listen [::]:443 ssl; ssl_certificate \($0.chainFile); ssl_certificate_key \($0.keyFile); }"
            }
            web = try NginxServer(in: router, port: 80, locations: location, servers: tls ?? "")
            names = try router.start(
                "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file=",
                "--listen-address=10.1.0.1", "--bind-interfaces", "--no-resolv", "--no-hosts", "--local=/test/",
                "--host-record=check.test,\(Self.server),fd99::1", "--host-record=box.test,10.1.0.1,fd99::1")
            _ = try folder.write("nameserver 10.1.0.1\n".utf8, to: "resolv.conf")
            try FreePort.waitForListener("-u", "sport = :53", in: router)
        }

        /// Everything to an address disappears without a word; the carrier stays.
        func drop(_ address: String) throws {
            let family = address.contains(":") ? "-6" : "-4"
            try router.run("ip", family, "rule", "add", "pref", "100", "lookup", "local")
            try router.run("ip", family, "rule", "del", "pref", "0")
            try router.run("ip", family, "rule", "add", "pref", "5", "iif", "router", "to", address, "blackhole")
        }

        /// Runs the program with this host's name server in place of the machine's.
        func explain(
            _ subject: String, _ options: [String], by wrapper: [String] = []
        ) async throws -> Netwatch.Outcome {
            let script = "mount --bind \(folder.path)/resolv.conf /etc/resolv.conf && exec \"$@\""
            let program = wrapper + [Netwatch.path, "explain"] + options + [subject]
            return try await Netwatch.run(
                command: ["unshare", "--mount", "sh", "-c", script, "sh"] + program, in: client)
        }
    }

    private struct Answer: Decodable {
        struct Step: Decodable {
            let kind: String
            let isWell: Bool
            let reason: String?
            let advice: String?
        }

        let subject: String
        let steps: [Step]
    }

    /// Explains as lines and as JSON, and holds both against what has to be found.
    private func expect(
        _ world: World, _ arguments: String..., stopsAt kind: String, _ reason: String, status: Int32 = 3,
        within timeout: String = "20s",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let url = arguments.first ?? "http://check.test/"
        let options = ["--timeout", timeout] + arguments.dropFirst()
        async let lines = world.explain(url, options)
        async let object = world.explain(url, options + ["--json"])
        let (text, json) = (try await lines, try await object)
        #expect(text.status == status, "\(text)", sourceLocation: sourceLocation)
        #expect(text.lines.first?.hasPrefix("\(url): ") == true, "\(text)", sourceLocation: sourceLocation)
        #expect(text.lines.first?.contains("(fault: ") == true, "\(text)", sourceLocation: sourceLocation)
        let broken = text.lines.filter { $0.hasPrefix("  BAD") }
        #expect(broken.count == 1, "\(text)", sourceLocation: sourceLocation)
        #expect(broken.first?.hasPrefix("  BAD \(kind)") == true, "\(text)", sourceLocation: sourceLocation)
        #expect(text.lines.contains { $0.hasPrefix("      try: ") }, "\(text)", sourceLocation: sourceLocation)
        #expect(json.status == status, sourceLocation: sourceLocation)
        #expect(json.lines.count == 1, sourceLocation: sourceLocation)
        #expect(try Netwatch.validate(json.lines, by: Netwatch.explanationSchema), sourceLocation: sourceLocation)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(json.lines.joined(separator: "\n").utf8))
        #expect(answer.subject == url, sourceLocation: sourceLocation)
        #expect(answer.steps.last?.kind == kind, "\(answer)", sourceLocation: sourceLocation)
        #expect(answer.steps.last?.reason == reason, "\(answer)", sourceLocation: sourceLocation)
        #expect(answer.steps.map(\.isWell).filter { !$0 }.count == 1, sourceLocation: sourceLocation)
    }

    @Test("of a way that is well is 0, and shows each step")
    func well() async throws {
        let world = try World()
        let text = try await world.explain("http://check.test/", ["--timeout", "20s"])
        #expect(text.status == 0, "\(text)")
        let kinds = text.lines.dropFirst().map { $0.split(separator: " ")[1] }
        #expect(
            kinds == ["interface", "address", "rule", "route", "neighbour", "names", "connection", "http", "family"])
    }

    @Test("of what is no web server shows steps of its own kind, and none of HTTP")
    func otherKinds() async throws {
        let world = try World()
        for (subject, last) in [
            ("tcp://\(World.server):80", "connection"), ("dns://10.1.0.1/check.test", "names"),
            ("dns://10.1.0.1/none.test", "names"), ("icmp://\(World.server)", "connection"),
        ] {
            let text = try await world.explain(subject, ["--timeout", "20s"])
            let kinds = text.lines.filter { $0.hasPrefix("  ok") || $0.hasPrefix("  BAD") }.map {
                String($0.split(separator: " ")[1])
            }
            #expect(kinds.last == last, "\(text)")
            #expect(!kinds.contains("http"), "\(text)")
        }
        try world.client.run("sh", "-c", "echo '1 0' > /proc/sys/net/ipv4/ping_group_range")
        let forbidden = try await world.explain("icmp://\(World.server)", ["--timeout", "20s"])
        #expect(forbidden.lines.contains { $0.contains("try: allow it") }, "\(forbidden)")
        #expect(!forbidden.lines.contains { $0.contains("nothing comes back") }, "\(forbidden)")
    }

    @Test("names a dead upstream")
    func upstream() async throws {
        let world = try World()
        try world.drop(World.server)
        try world.drop("fd99::1")
        try await expect(world, stopsAt: "connection", "connect-timeout", within: "2s")
    }

    @Test("of this host's own address names its loopback that is down, and cites no other host")
    func loopbackDown() async throws {
        let world = try World()
        try world.client.ip("link set lo down")
        for subject in ["http://127.0.0.1:8000/", "http://10.1.0.2/"] {
            let text = try await world.explain(subject, ["--timeout", "20s"])
            #expect(text.lines.first?.hasSuffix("lo, is administratively down (fault: this host)") == true, "\(text)")
            #expect(!text.lines.contains { $0.contains("answers") || $0.contains("elsewhere") }, "\(text)")
        }
    }

    @Test("names the port of a bridge that has no carrier, though another port keeps the bridge's own")
    func deadPort() async throws {
        let world = try World()
        try world.client.ip(
            """
            address flush dev up0
            link add br0 type bridge
            link set up0 master br0
            link add other type veth peer name box
            link set other master br0
            link set other up
            link set box up
            link set br0 up
            address add 10.1.0.2/24 dev br0
            route add default via 10.1.0.1 dev br0
            """)
        try world.router.ip("link set router down")
        let text = try await world.explain("http://\(World.server)/", ["--timeout", "20s"])
        #expect(text.lines.first?.contains("up0, by which br0 leads out, has no carrier") == true, "\(text)")
        #expect(text.lines.first?.hasSuffix("(fault: this host's link)") == true, "\(text)")
        let named = try await world.explain("http://check.test/", ["--timeout", "20s"])
        #expect(!named.lines.contains { $0.contains("DHCP") }, "\(named)")
    }

    @Test("of an interface that is not there asks the subject and the gateway by the one that is")
    func missingInterface() async throws {
        let world = try World()
        let outcome = try await world.explain(
            "http://\(World.server)/", ["--timeout", "5s", "--interface", "nope0", "--no-default-probes"])
        let end = "yes: the gateway 10.1.0.1 answers; up0 works (\(World.server) answers)"
        #expect(outcome.lines.last == "  --  elsewhere   \(end)", "\(outcome)")
    }

    @Test("ends with whether anything else works, and asks nobody who was not named where it must not")
    func elsewhere() async throws {
        let world = try World()
        try world.router.ip("address add 1.1.1.1/32 dev lo")
        try world.drop(World.server)
        let url = "http://\(World.server)/"
        let text = try await world.explain(url, ["--timeout", "2s"])
        #expect(
            text.lines.last
                == "  --  elsewhere   yes: the gateway 10.1.0.1 answers; 1.1.1.1 answers; 8.8.8.8 and 9.9.9.9 do not",
            "\(text)")
        let mute = try await world.explain(url, ["--timeout", "2s", "--no-default-probes"])
        #expect(
            mute.lines.last == "  --  elsewhere   not asked beyond the gateway: the gateway 10.1.0.1 answers", "\(mute)"
        )
        let silent = try await world.explain(url, ["--timeout", "2s", "--no-probe"])
        #expect(!silent.lines.contains { $0.contains("elsewhere") }, "\(silent)")
        let own = try await world.explain(
            url, ["--timeout", "2s", "--no-default-probes", "--probe", "tcp://10.1.0.1:80"])
        #expect(own.lines.last?.contains("10.1.0.1 answers") == true, "\(own)")
        let json = try await world.explain(url, ["--timeout", "2s", "--json"])
        #expect(try Netwatch.validate(json.lines, by: Netwatch.explanationSchema), "\(json)")
        #expect(json.lines.first?.contains(#""elsewhere":{"works":true,"#) == true, "\(json)")
        #expect(json.lines.first?.contains(#""blame":"target""#) == true, "\(json)")
    }

    @Test("names a kernel that refuses to bind to the interface, and sends nothing by another way")
    func refusedBinding() async throws {
        let world = try World()
        let wrapper = ["/usr/bin/python3", Netwatch.file("Tests/Support/Scripts/refusing.py"), "binding"]
        for (subject, step) in [
            ("http://\(World.server)/", "connection"), ("tcp://\(World.server):80", "connection"),
            ("http://check.test/", "names"),
        ] {
            let outcome = try await world.explain(
                subject, ["--json", "--timeout", "20s", "--interface", "up0"], by: wrapper)
            let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.lines.joined(separator: "\n").utf8))
            #expect(answer.steps.last?.kind == step, "\(answer)")
            #expect(answer.steps.last?.reason == "binding-refused", "\(answer)")
        }
        #expect(world.web.accessLog.isEmpty)
        let bound = try await world.explain("http://\(World.server)/", ["--timeout", "20s", "--interface", "up0"])
        #expect(bound.status == 0, "\(bound)")
        #expect(try await world.web.logged(1) == 1)
    }

    @Test("names this host where it has no trust store, and not the server")
    func noTrustStore() async throws {
        let world = try World()
        let text = try await world.explain(
            "https://\(World.server)/", ["--timeout", "20s"],
            by: ["env", "SSL_CERT_FILE=/nonexistent", "SSL_CERT_DIR=/nonexistent"])
        #expect(text.status == 3, "\(text)")
        #expect(text.lines.first?.hasSuffix("install ca-certificates (fault: this host)") == true, "\(text)")
        #expect(text.lines.contains("      try: nothing was sent: this host lacks what is named here"), "\(text)")
    }

    @Test("names a portal, and where to log in")
    func portal() async throws {
        let world = try World(location: "location / { return 302 http://login.test/; }")
        try await expect(world, stopsAt: "http", "portal", status: 5)
        #expect(
            try await world.explain("http://check.test/", []).lines.contains("      try: log in at http://login.test/"))
    }

    @Test("names a name server that is dead")
    func names() async throws {
        var world = try World()
        world.names = nil
        try await expect(world, stopsAt: "names", "dns-failed", within: "2s")
    }

    @Test("names a resolver on this host itself that hangs, or what is dead behind it", arguments: [true, false])
    func silentStub(isLineUp: Bool) async throws {
        let world = try World()
        let stub = try world.client.start(
            "python3", "-u", "-c",
            """
            import socket, time
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            server.bind(("127.0.0.53", 53))
            print("ready")
            time.sleep(120)
            """)
        #expect(stub.becomesReady { !stub.output.isEmpty })
        _ = try world.folder.write("nameserver 127.0.0.53\n".utf8, to: "resolv.conf")
        // A public name server is asked whether anything is there: that it refuses is an answer.
        if isLineUp { try world.router.ip("address add 1.1.1.1/32 dev lo") }
        try await expect(world, stopsAt: "names", "dns-failed", within: "2s")
        let text = try await world.explain("http://check.test/", ["--timeout", "2s"])
        let words =
            isLineUp
            ? ["127.0.0.53 on this host itself does not answer (fault: the name server)", "see: resolvectl status"]
            : ["nothing answers from beyond the gateway 10.1.0.1, which answers itself (fault: the network)"]
        for word in words { #expect(text.lines.contains { $0.contains(word) }, "\(word)\n\(text)") }
    }

    @Test("names a gateway that does not answer")
    func gateway() async throws {
        let world = try World()
        try world.router.ip("link set router arp off")
        try world.client.ip("neigh flush dev up0")
        try await expect(world, "http://\(World.server)/", stopsAt: "neighbour", "gateway-unreachable")
    }

    @Test("names a family that alone is broken")
    func family() async throws {
        let world = try World()
        try world.drop("fd99::1")
        try await expect(world, stopsAt: "family", "ipv6-failed", within: "4s")
        try await expect(
            world, "http://check.test/", "--family", "ipv6", stopsAt: "connection", "connect-timeout", within: "1s")
    }

    @Test("names a certificate that has expired")
    func certificate() async throws {
        let authority = try CertificateAuthority()
        let request = CertificateRequest(names: ["DNS:check.test"]) {
            $0.notBefore = Date(timeIntervalSinceNow: -20 * 86400)
            $0.notAfter = Date(timeIntervalSinceNow: -10 * 86400)
        }
        let world = try World(certificate: try authority.issue("check.test", request))
        try await expect(
            world, "https://check.test/", "--ca-file", authority.rootFile, stopsAt: "tls", "certificate-expired")
    }

    @Test("names its own limit of open files, whatever that keeps it from doing")
    func descriptors() async throws {
        let world = try World()
        var steps: Set<String> = []
        for limit in [8, 10, 12, 14, 16, 20, 24] {
            let outcome = try await world.explain(
                "http://check.test/", ["--timeout", "20s"], by: ["prlimit", "--nofile=\(limit)"])
            let broken = outcome.lines.first { $0.hasPrefix("  BAD") }
            // With fewer it does not come so far as to look, and says that.
            let isTold = broken?.hasPrefix("  BAD host") ?? outcome.errorText.contains("open files")
            #expect(isTold || outcome.status == 0, "\(limit): \(outcome)")
            if let broken { steps.insert(broken) }
            if broken != nil { #expect(outcome.lines.contains("      see: ulimit -n"), "\(limit): \(outcome)") }
        }
        #expect(!steps.isEmpty)
    }

    @Test("finds a host of its own link by name without a way out, and no other")
    func nameOnLink() async throws {
        let world = try World()
        try world.client.run("ip", "-4", "route", "del", "default")
        try world.client.run("ip", "-6", "route", "del", "default")
        let near = try await world.explain("http://box.test/", ["--timeout", "20s"])
        #expect(near.status == 0, "\(near)")
        let far = try await world.explain("http://check.test/", ["--timeout", "20s"])
        #expect(far.status == 4 && far.lines.first?.contains("no way out") == true, "\(far)")
    }

    @Test("names a server that takes too long")
    func slow() async throws {
        // It hands the request on to a port that takes it and says nothing.
        let world = try World(location: "location / { proxy_pass http://127.0.0.1:9; }")
        let silent = try world.router.start("python3", "-c", Self.silentServer)
        try FreePort.waitForListener("-t", "sport = :9", in: world.router)
        try await expect(world, stopsAt: "http", "timeout", within: "3s")
        withExtendedLifetime(silent) {}
    }

    private static let silentServer = """
        import socket, time
        server = socket.create_server(("127.0.0.1", 9))
        kept = []
        while True: kept.append(server.accept())
        """
}
