import Connectivity
import EventLoop
import Foundation
import Netwatch
import NetworkAddress
import Reachability
import Resolver
import TestSupport
import Testing

/// Each fault is made for real, and the explanation has to stop at it.
@Suite(
    "The explanation", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(5)))
struct ExplanationTests {
    private let client: TestNamespace
    private let loop: EventLoop

    init() throws {
        client = try TestNamespace()
        loop = try EventLoop(networkNamespace: client.descriptor)
    }

    private func upstream(
        location: String = "location / { return 204; }", certificate: IssuedCertificate? = nil
    ) throws -> Upstream {
        try Upstream("up1", number: 1, of: client, metric: 100, location: location, certificate: certificate)
    }

    private func explain(
        _ subject: String = "http://\(Upstream.address)/", interface: String? = nil,
        _ change: (inout ConnectivityConfiguration) -> Void = { _ in }
    ) async throws -> Explanation {
        var configuration = ConnectivityConfiguration()
        configuration.timeout = .seconds(3)
        configuration.nameServers["up1"] = IPAddress("10.1.0.1").map { [NameServer($0)] }
        change(&configuration)
        return try await Explainer(configuration: configuration, loop: loop).explain(subject, interface: interface)
    }

    /// Checks where an explanation stops, and that it says why and what to try.
    private func expect(
        _ explanation: Explanation, stopsAt kind: Explanation.Kind, _ reason: ConnectivityReason,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = Comment(rawValue: explanation.description)
        #expect(explanation.broken?.kind == kind, text, sourceLocation: sourceLocation)
        #expect(explanation.broken?.reason == reason, text, sourceLocation: sourceLocation)
        #expect(explanation.broken?.advice?.isEmpty == false, text, sourceLocation: sourceLocation)
        #expect(explanation.steps.last == explanation.broken, text, sourceLocation: sourceLocation)
    }

    @Test("of a way that is well names each step")
    func well() async throws {
        let upstream = try upstream()
        let server = try upstream.startNameServer()
        let explanation = try await explain("http://check.test/", interface: "up1")
        #expect(explanation.isReachable, Comment(rawValue: explanation.description))
        #expect(
            explanation.steps.map(\.kind) == [
                .interface, .address, .rule, .route, .neighbour, .names, .connection, .http,
            ])
        #expect(explanation.steps[2].finding == "rule 32766 leads to table main")
        #expect(explanation.steps[3].finding == "default via 10.1.0.1 dev up1, in table main")
        let text = String(decoding: try JSONEncoder().encode(explanation), as: UTF8.self)
        #expect(try JSONDecoder().decode(Explanation.self, from: Data(text.utf8)) == explanation)
        withExtendedLifetime(server) {}
    }

    @Test("stops at a host without a link")
    func noLink() async throws {
        expect(try await explain(), stopsAt: .interface, .noPath)
    }

    @Test("stops at an interface that is not there, though the kernel knows another way")
    func noInterface() async throws {
        let upstream = try upstream()
        expect(try await explain(interface: "wwan0"), stopsAt: .interface, .interfaceUnusable)
        withExtendedLifetime(upstream) {}
    }

    @Test("tells of an address of this host's own that it is one")
    func ownAddress() async throws {
        let upstream = try upstream()
        let own = try NginxServer(in: client, port: 80, locations: "location / { return 204; }")
        let explanation = try await explain("http://10.1.0.2/")
        #expect(explanation.isReachable, Comment(rawValue: explanation.description))
        #expect(explanation.steps.map(\.kind) == [.route, .connection, .http])
        #expect(explanation.steps.first?.finding == "10.1.0.2 is this host's own address")
        withExtendedLifetime((upstream, own)) {}
    }

    @Test("of a missing family tells that, though another host has an address of the other one")
    func duplicateOfOtherFamily() async throws {
        let upstream = try Upstream("up1", number: 1, of: client, metric: 100, ipv6: true)
        try upstream.uplink.router.ip("address add fd00:1::3/64 dev router nodad")
        try client.ip(
            """
            address del 10.1.0.2/24 dev up1
            address add fd00:1::3/64 dev up1
            """)
        try await expectSoon { try !client.run("ip", "-6", "address", "show", "dadfailed").isEmpty }
        let explanation = try await explain(interface: "up1")
        expect(explanation, stopsAt: .address, .interfaceUnusable)
        #expect(explanation.broken?.finding == "up1 has no IPv4 address")
        withExtendedLifetime(upstream) {}
    }

    @Test("stops at a missing route")
    func noRoute() async throws {
        let upstream = try upstream()
        try upstream.uplink.deleteDefaultRoute()
        expect(try await explain(), stopsAt: .route, .noPath)
        expect(try await explain(interface: "up1"), stopsAt: .route, .noRoute)
    }

    @Test("stops at a route that rejects", arguments: ["unreachable", "prohibit", "blackhole"])
    func rejected(type: String) async throws {
        let upstream = try upstream()
        try client.ip("route add \(type) \(Upstream.address)/32")
        expect(try await explain(), stopsAt: .route, .noRoute)
        withExtendedLifetime(upstream) {}
    }

    @Test("stops at a rule that rejects", arguments: ["unreachable", "prohibit", "blackhole"])
    func rejectingRule(type: String) async throws {
        let upstream = try upstream()
        try client.ip("rule add priority 77 to \(Upstream.address)/32 type \(type)")
        let explanation = try await explain()
        expect(explanation, stopsAt: .rule, .noRoute)
        #expect(explanation.broken?.finding.contains("the rule 77") == true)
        withExtendedLifetime(upstream) {}
    }

    @Test("names the command that takes away an IPv6 rule, and not the IPv4 one of the same number")
    func rejectingRuleOfIPv6() async throws {
        let upstream = try Upstream("up1", number: 1, of: client, metric: 100, ipv6: true)
        try client.run("ip", "-6", "rule", "add", "priority", "77", "to", Upstream.address6, "type", "prohibit")
        let explanation = try await explain("http://[\(Upstream.address6)]/")
        expect(explanation, stopsAt: .rule, .noRoute)
        #expect(explanation.broken?.advice?.contains("ip -6 rule del priority 77") == true)
        withExtendedLifetime(upstream) {}
    }

    @Test("names the command that takes away a dead interface's IPv6 route, where that goes before another's")
    func deadPreferenceOfIPv6() async throws {
        let uplinks = try [1, 2].map { try Uplink("up\($0)", number: $0, of: client, ipv6: true) }
        for uplink in uplinks {
            try client.run(
                "ip", "-6", "route", "add", "default", "via", uplink.gateway6, "dev", uplink.interface, "metric",
                "\(uplink.number)00")
        }
        try uplinks[0].router.ip("link set router down")
        let explanation = try await explain("http://check.test/")
        expect(explanation, stopsAt: .route, .noPath)
        #expect(explanation.broken?.advice?.contains("ip -6 route del default dev up1") == true)
        #expect(explanation.broken?.command == "ip -6 route show default")
    }

    @Test("tells how old an address is that somebody lends, and stops at one that nobody has renewed")
    func lease() async throws {
        let upstream = try upstream()
        try client.ip("address change 10.1.0.2/24 dev up1 valid_lft 3600 preferred_lft 1800")
        let step = try await explain().steps.first { $0.kind == .lease }
        #expect(step?.isWell == true)
        let finding = try #require(step?.finding)
        #expect(finding.hasPrefix("lent by DHCP, renewed "))
        #expect(
            finding.hasSuffix(" s ago, valid for 59 min more") || finding.hasSuffix(" s ago, valid for 60 min more"))
        try client.ip("address change 10.1.0.2/24 dev up1 valid_lft 3600 preferred_lft 0")
        expect(try await explain(), stopsAt: .lease, .interfaceUnusable)
        withExtendedLifetime(upstream) {}
    }

    @Test("stops at a gateway that does not answer")
    func gateway() async throws {
        let upstream = try upstream()
        try upstream.silenceGateway()
        expect(try await explain(), stopsAt: .neighbour, .gatewayUnreachable)
    }

    @Test("stops at a name server that is not there, and at a name that is not")
    func names() async throws {
        let upstream = try upstream()
        expect(try await explain("http://check.test/", interface: "up1"), stopsAt: .names, .nameServerFailed)
        let server = try upstream.startNameServer()
        expect(try await explain("http://other.test/", interface: "up1"), stopsAt: .names, .nameNotFound)
        withExtendedLifetime(server) {}
    }

    @Test("of a name server that there is no local port to ask by stops at this host")
    func noPortToAsk() async throws {
        let upstream = try upstream()
        let server = try upstream.startNameServer()
        let holder = try client.takeAllPorts()
        let explanation = try await explain("dns://10.1.0.1/check.test")
        expect(explanation, stopsAt: .host, .overloaded)
        #expect(explanation.blame == .host, "\(explanation)")
        #expect(explanation.broken?.command == "ss -uan", "\(explanation)")
        withExtendedLifetime((server, holder)) {}
    }

    @Test("says of a name server that takes its time that it is slow, and goes on")
    func slowNames() async throws {
        let upstream = try upstream()
        let server = try upstream.uplink.router.start("python3", "-u", "-c", Self.slowNameServer)
        try #require(server.becomesReady { !server.output.isEmpty })
        let explanation = try await explain("http://check.test/", interface: "up1")
        #expect(explanation.isReachable, Comment(rawValue: explanation.description))
        let step = try #require(explanation.steps.first { $0.kind == .names })
        #expect(step.finding.contains(#/, which took [2-9](\.\d)? s: /#), "\(step.finding)")
        #expect(step.finding.hasSuffix("the name server is slow"), "\(step.finding)")
    }

    /// Says that every name is at the server, and has no IPv6 address, after two seconds.
    private static let slowNameServer = """
        import socket, threading
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("10.1.0.1", 53))
        print("ready")
        def answer(query, client):
            end = query.index(0, 12) + 5
            is_v4 = query[end - 4:end - 2] == bytes([0, 1]) and b"check" in query
            record = bytes([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 10, 99, 0, 1]) if is_v4 else b""
            head = query[:2] + bytes([0x81, 0x80, 0, 1, 0, len(record) // 16, 0, 0, 0, 0])
            server.sendto(head + query[12:end] + record, client)
        while True: threading.Timer(2, answer, server.recvfrom(512)).start()
        """

    @Test("stops at a connection that is refused, and at one that nothing answers")
    func connection() async throws {
        let upstream = try upstream()
        expect(try await explain("http://\(Upstream.address):81/"), stopsAt: .connection, .connectionRefused)
        try upstream.dropAll()
        expect(try await explain(), stopsAt: .connection, .connectTimeout)
    }

    @Test(
        "stops at a certificate, and tells which fault it has", arguments: ["expired", "other name", "unknown issuer"])
    func certificate(fault: String) async throws {
        let authority = try CertificateAuthority()
        let request = CertificateRequest(names: [fault == "other name" ? "DNS:other.test" : "DNS:check.test"]) {
            $0.notBefore = Date(timeIntervalSinceNow: -20 * 86400)
            if fault == "expired" { $0.notAfter = Date(timeIntervalSinceNow: -10 * 86400) }
        }
        let upstream = try upstream(certificate: try authority.issue("check.test", request))
        let server = try upstream.startNameServer()
        let trusted = fault == "unknown issuer" ? try CertificateAuthority() : authority
        let explanation = try await explain("https://check.test/", interface: "up1") {
            $0.certificateAuthorityFile = trusted.rootFile
        }
        let reasons: [String: ConnectivityReason] = [
            "expired": .certificateExpired, "other name": .certificateName, "unknown issuer": .certificateIssuer,
        ]
        expect(explanation, stopsAt: .tls, try #require(reasons[fault]))
        withExtendedLifetime((server, authority)) {}
    }

    @Test("stops at an answer that is not the expected one")
    func http() async throws {
        let upstream = try upstream(location: "location / { return 503; }")
        expect(try await explain(), stopsAt: .http, .unexpectedStatus)
        withExtendedLifetime(upstream) {}
    }

    @Test("of a portal tells where to log in")
    func portal() async throws {
        let upstream = try upstream(location: "location / { return 302 http://login.test/; }")
        let explanation = try await explain()
        expect(explanation, stopsAt: .http, .portal)
        #expect(explanation.broken?.advice?.contains("http://login.test/") == true)
        withExtendedLifetime(upstream) {}
    }

    private static let signOn = "http://sso.test/login"
    private static let reference = "--host-record=connectivitycheck.gstatic.com,\(Upstream.address)"

    @Test("of a target that alone sends to another site says that it is the far end's doing, and no portal")
    func ownRedirect() async throws {
        let upstream = try upstream(
            location: "location = /generate_204 { return 204; } location / { return 302 \(Self.signOn); }")
        let server = try upstream.startNameServer(Self.reference)
        let explanation = try await explain("http://check.test/", interface: "up1")
        expect(explanation, stopsAt: .http, .unexpectedStatus)
        #expect(explanation.blame == .target)
        let finding = "it sends to another site (\(Self.signOn)), and others are not sent there"
        #expect(explanation.broken?.finding == finding)
        #expect(explanation.broken?.advice?.contains("\"statuses\": 302") == true)
        withExtendedLifetime(server) {}
    }

    @Test("of a portal that sends a reference to its page, too, blames the network")
    func portalOfAll() async throws {
        let upstream = try upstream(location: "location / { return 302 \(Self.signOn); }")
        let server = try upstream.startNameServer(Self.reference)
        let explanation = try await explain("http://check.test/", interface: "up1")
        expect(explanation, stopsAt: .http, .portal)
        #expect(explanation.blame == .uplink)
        #expect(explanation.broken?.finding == "a portal answers in its place and sends to \(Self.signOn)")
        #expect(explanation.broken?.advice == "log in at \(Self.signOn)")
        withExtendedLifetime(server) {}
    }

    @Test("of a target that sends to another site, where no reference may be asked, blames nobody")
    func perhapsPortal() async throws {
        let upstream = try upstream(
            location: "location = /generate_204 { return 204; } location / { return 302 \(Self.signOn); }")
        let server = try upstream.startNameServer(Self.reference)
        let explanation = try await explain("http://check.test/", interface: "up1") { $0.asksWitnesses = false }
        expect(explanation, stopsAt: .http, .portal)
        #expect(explanation.blame == nil)
        #expect(explanation.broken?.finding == "it sends to another site (\(Self.signOn)); perhaps a portal")
        #expect(explanation.broken?.advice == "log in at \(Self.signOn)")
        withExtendedLifetime(server) {}
    }

    @Test("refuses what is no URL")
    func badSubject() async throws {
        await #expect(throws: ConnectivityError.self) { _ = try await explain("ftp://host/") }
    }
}

@Suite(
    "Waiting",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(2)))
struct WaitingTests {
    @Test("ends as soon as the state is as wanted, or when the time is over")
    func wait() async throws {
        let client = try TestNamespace()
        let loop = try EventLoop(networkNamespace: client.descriptor)
        let uplink = try Uplink("up1", number: 1, of: client)
        let server = try NginxServer(in: uplink.router, port: 80, locations: "location / { return 204; }")
        let target = try Target("http://\(uplink.gateway)/", name: "server", expectation: .noContent)
        let monitor = ConnectivityMonitor(configuration: ConnectivityConfiguration(targets: [target]), loop: loop)
        try await monitor.start()
        #expect(await monitor.wait(for: .path, timeout: .milliseconds(50)) == nil)
        async let path = monitor.wait(for: .path, timeout: .seconds(60))
        async let full = monitor.wait(for: .connectivity(.full), timeout: .seconds(60))
        async let up = monitor.wait(for: .target("server"), timeout: .seconds(60))
        try uplink.addDefaultRoute()
        #expect(await path?.reachability == .ethernet)
        #expect(await full?.connectivity == .full)
        #expect(await up?.targets.map(\.status) == [.up])
        #expect(await monitor.wait(for: .path)?.reachability == .ethernet)
        let task = Task { await monitor.wait(for: .reachability(.wifi)) }
        task.cancel()
        #expect(await task.value == nil)
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test(
        "conditions by their words",
        arguments: [
            ("path", WaitCondition.path), ("full", .connectivity(.full)), ("wifi", .reachability(.wifi)),
            ("ethernet", .reachability(.ethernet)), ("none", .reachability(.none)), ("shop", .target("shop")),
        ])
    func words(word: String, condition: WaitCondition) {
        #expect(WaitCondition(word) == condition)
        #expect(condition.description == word)
    }
}
