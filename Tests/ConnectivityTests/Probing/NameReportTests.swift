import EventLoop
import Evidence
import NetworkAddress
import Resolver
import SystemPackage
import TestSupport
import Testing

@testable import Connectivity

/// Look-ups of names at real name servers behind a link.
@Suite(
    "What look-ups of names tell",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(5)))
struct NameReportTests {
    private let client: TestNamespace
    private let upstream: Upstream
    private let loop: EventLoop
    private let folder: TemporaryFolder
    private let reader: ReportReader

    init() async throws {
        client = try TestNamespace()
        upstream = try Upstream("up1", number: 1, of: client, metric: 100)
        try upstream.uplink.router.ip(
            """
            address add 10.99.0.2/32 dev lo
            address add 10.99.0.53/32 dev lo
            """)
        loop = try EventLoop(networkNamespace: client.descriptor)
        folder = try TemporaryFolder()
        reader = try await ReportReader(on: loop, names: try Self.names(folder, "nameserver 10.1.0.1\nsearch test"))
    }

    private static func names(
        _ folder: TemporaryFolder, _ resolver: String, resolved: String = ""
    ) throws -> NameFiles {
        NameFiles(
            hosts: try folder.write("10.99.0.1 known.example\n".utf8, to: "hosts").string,
            resolver: try folder.write(resolver.utf8, to: "resolv.conf").string, services: "/none",
            resolved: try folder.write(resolved.utf8, to: "resolved.conf").string)
    }

    private static let sent = "sent 10.1.0.1 up1"
    private static let heard = "heard 10.1.0.1"

    @Test("a name is found at the server that is named, with its lifetime", arguments: [nil, "up1"])
    func found(interface: String?) async throws {
        let server = try upstream.startNameServer("--local-ttl=70")
        let reports = try await reader.lookUp("check.test", at: "10.1.0.1", interface: interface)
        #expect(reports.words.dropLast() == [Self.sent, Self.heard])
        let expected = [Upstream.address6, Upstream.address].compactMap { IPAddress($0) }
        #expect(reports.answer == .addresses(expected, lifetime: .seconds(70)))
        withExtendedLifetime(server) {}
    }

    @Test("a name that is not found, and a server that refuses, were heard")
    func notFound() async throws {
        let server = try upstream.startNameServer()
        let absent = try await reader.lookUp("other.test.", at: "10.1.0.1")
        #expect(absent.words.dropLast() == [Self.sent, Self.heard])
        #expect(absent.answer == .noAddress(.nameNotFound))
        let refused = try await reader.lookUp("name.example.", at: "10.1.0.1")
        #expect(refused.words.dropLast() == [Self.sent, Self.heard])
        #expect(refused.answer == .noAddress(.nameServerFailed))
        withExtendedLifetime(server) {}
    }

    @Test("a server that fails was heard")
    func failed() async throws {
        let server = try await NameServerStub(in: upstream.uplink.router, at: "10.1.0.1", code: 2)
        let reports = try await reader.lookUp("check.test.", at: "10.1.0.1")
        #expect(reports.words.dropLast() == [Self.sent, Self.heard])
        #expect(reports.answer == .noAddress(.nameServerFailed))
        // As the C library does, it goes on to the domains that names are looked for in.
        let searched = try await reader.lookUp("check.test", at: "10.1.0.1")
        #expect(searched.words.dropLast() == [Self.sent, Self.heard, Self.sent, Self.heard])
        #expect(searched.answer == .noAddress(.nameServerFailed))
        withExtendedLifetime(server) {}
    }

    @Test("a server that is silent is a miss")
    func silent() async throws {
        let server = try await NameServerStub(in: upstream.uplink.router, at: "10.1.0.1", code: nil)
        let reports = try await reader.lookUp("check.test", at: "10.1.0.1", timeout: .milliseconds(600))
        #expect(reports.words == [Self.sent, "silent 10.1.0.1", "answered nothing"])
        withExtendedLifetime(server) {}
    }

    @Test(
        "a server that is to be asked by TCP was heard, whatever becomes of that",
        arguments: ["refused", "reset", "ended", "silent"])
    func cutShort(stream: String) async throws {
        let server = try upstream.uplink.router.start("python3", "-u", "-c", NameTests.cutAnswers, stream)
        try #require(server.becomesReady { !server.output.isEmpty })
        let reports = try await reader.lookUp("check.test.", at: "10.1.0.1", timeout: .seconds(2))
        #expect(reports.words.dropLast() == [Self.sent, Self.heard], "\(reports.words)")
        #expect(reports.answer == .noAddress(.nameServerFailed), "\(reports.words)")
        withExtendedLifetime(server) {}
    }

    @Test("a question that this host's own link drops is lost as any, and no want of this host's own")
    func droppedHere() async throws {
        let server = try upstream.startNameServer()
        _ = try await reader.lookUp("check.test", at: "10.1.0.1")
        try client.run("tc", "qdisc", "replace", "dev", "up1", "root", "bfifo", "limit", "1")
        let reports = try await reader.lookUp("check.test", at: "10.1.0.1", timeout: .milliseconds(600))
        #expect(reports.words == [Self.sent, "silent 10.1.0.1", "answered nothing"])
        withExtendedLifetime(server) {}
    }

    @Test("a host without a name server was heard, and what a router says was told")
    func unreachable() async throws {
        let closed = try await reader.lookUp("check.test", at: "10.1.0.1")
        #expect(closed.words.dropLast() == [Self.sent, Self.heard])
        #expect(closed.answer == .noAddress(.nameServerFailed))
        try upstream.uplink.router.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        try upstream.uplink.router.ip("route add unreachable 192.0.2.0/24")
        #expect(
            try await reader.lookUp("check.test", at: "192.0.2.9").words
                == ["sent 192.0.2.9 up1 via 10.1.0.1", "told 192.0.2.9", "answered nothing"])
        try upstream.uplink.deleteDefaultRoute()
        #expect(try await reader.lookUp("check.test", at: "192.0.2.9").words == ["answered noRoute"])
    }

    @Test("a name of this host's own is no exchange")
    func own() async throws {
        let reports = try await reader.lookUp("known.example", at: "10.1.0.1")
        #expect(reports.count == 1)
        guard case .addresses(let addresses, let lifetime)? = reports.answer else {
            Issue.record("\(reports)")
            return
        }
        #expect(addresses.map(\.description) == ["10.99.0.1"])
        #expect(lifetime > .seconds(3600))
    }

    @Test("a short name is completed as the C library does, and the next server is asked where one is silent")
    func asSystem() async throws {
        let server = try upstream.startNameServer()
        let silent = try await NameServerStub(in: upstream.uplink.router, at: "10.99.0.53", code: nil)
        let names = try Self.names(folder, "nameserver 10.99.0.53\nnameserver 10.1.0.1\nsearch none.test test")
        let reader = try await ReportReader(on: loop, names: names)
        let reports = try await reader.lookUp("check", timeout: .seconds(8))
        #expect(Set(reports.words).isSuperset(of: ["silent 10.99.0.53", Self.sent, Self.heard]), "\(reports.words)")
        guard case .addresses? = reports.answer else {
            Issue.record("\(reports.words)")
            return
        }
        withExtendedLifetime((server, silent)) {}
    }

    @Test("what a server takes long to fail at in one domain is still asked for in the next")
    func slowFailure() async throws {
        let server = try upstream.uplink.router.start("python3", "-u", "-c", Self.slowlyFailingNameServer)
        try #require(server.becomesReady { !server.output.isEmpty })
        let names = try Self.names(folder, "nameserver 10.1.0.1\nsearch corp.example test")
        let reader = try await ReportReader(on: loop, names: names)
        let reports = try await reader.lookUp("check", timeout: .seconds(3))
        let expected = [IPAddress(Upstream.address)].compactMap { $0 }
        #expect(reports.answer == .addresses(expected, lifetime: .seconds(60)), "\(reports.words)")
        withExtendedLifetime(server) {}
    }

    /// Says of names of `corp.example` that it could not find out, but only when asked again, and of all others at once
    /// that they are at 10.99.0.1.
    private static let slowlyFailingNameServer = """
        import socket
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("10.1.0.1", 53))
        asked = set()
        print("ready")
        while True:
            query, client = server.recvfrom(512)
            if len(query) < 17: continue
            question = query[12:query.index(0, 12) + 5]
            if b"corp" in question:
                if question in asked:
                    server.sendto(query[:2] + bytes([0x81, 0x82]) + query[4:6] + bytes(6) + question, client)
                asked.add(question)
                continue
            record = bytes([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 99, 0, 1]) if question[-3] == 1 else b""
            head = query[:2] + bytes([0x81, 0x80]) + query[4:6] + bytes([0, 1 if record else 0]) + bytes(4)
            server.sendto(head + question + record, client)
        """

    @Test(
        "a server that is known on one link alone is asked there, by its name or number", arguments: ["up1", "number"])
    func onTheLink(zone: String) async throws {
        let server = try startServerOnTheLink()
        let index = try #require(try client.run("sh", "-c", "ip -o link show up1 2>&-").split(separator: ":").first)
        let names = try Self.names(folder, "nameserver fe80::1%\(zone == "number" ? String(index) : zone)")
        let reader = try await ReportReader(on: loop, names: names)
        for asked in [nil, "fe80::1"] {
            let reports = try await reader.lookUp("check.test", at: asked)
            #expect(reports.words.dropLast() == ["sent fe80::1 up1", "heard fe80::1"], "\(reports.words)")
            #expect(reports.answer == .addresses([try #require(IPAddress(Upstream.address))], lifetime: .zero))
        }
        withExtendedLifetime(server) {}
    }

    @Test("a server that is known on one link alone is asked there where systemd-resolved stands before it, too")
    func onTheLinkBehindResolved() async throws {
        let server = try startServerOnTheLink()
        let names = try Self.names(folder, "nameserver 127.0.0.53", resolved: "nameserver fe80::1%up1")
        let reports = try await ReportReader(on: loop, names: names).lookUp("check.test", at: "fe80::1")
        #expect(reports.words.dropLast() == ["sent fe80::1 up1", "heard fe80::1"], "\(reports.words)")
        withExtendedLifetime(server) {}
    }

    private func startServerOnTheLink() throws -> BackgroundProcess {
        try client.ip("address add fe80::2/64 dev up1 nodad")
        try upstream.uplink.router.ip("address add fe80::1/64 dev router nodad")
        let server = try upstream.uplink.router.start(
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file=", "--no-resolv",
            "--no-hosts", "--local=/test/", "--host-record=check.test,\(Upstream.address)")
        try FreePort.waitForListener("-u", "sport = :53", in: upstream.uplink.router)
        return server
    }

    // MARK: Probes with names

    @Test("a name that moves, and a name server that dies, are seen by the next probe", arguments: ["http", "tcp"])
    func nothingIsRemembered(scheme: String) async throws {
        let url = "\(scheme)://moving.test:80"
        func start(_ address: String) throws -> BackgroundProcess {
            try upstream.startNameServer("--host-record=moving.test,\(address)", "--local-ttl=3600")
        }
        var server: BackgroundProcess? = try start("10.99.0.1")
        let first = try await reader.reports(of: url)
        #expect(first.result?.outcome == .success, "\(first.words)")
        #expect(first.result?.remoteAddress?.description == "10.99.0.1")
        server = nil
        try await expectSoon { try upstream.uplink.router.run("ss", "-lunH", "sport = :53").isEmpty }
        let dead = try await reader.reports(of: url)
        #expect(dead.result?.reason == .nameServerFailed, "\(dead.words)")
        #expect(dead.words == [Self.sent, Self.heard, "ended failure"])
        server = try start("10.99.0.2")
        let moved = try await reader.reports(of: url)
        #expect(moved.result?.remoteAddress?.description == "10.99.0.2", "\(moved.words)")
        #expect(
            moved.words == [
                Self.sent, Self.heard, "sent 10.99.0.2 up1 via 10.1.0.1", "heard 10.99.0.2", "ended success",
            ])
        withExtendedLifetime(server) {}
    }

    @Test(
        "where the first address of a name is dead, the next is asked",
        arguments: ["tcp://pair.test:80", "dns://pair.test/check.test", "icmp://pair.test"])
    func nextAddress(url: String) async throws {
        try client.run("sysctl", "-qw", "net.ipv4.ping_group_range=0 2147483647")
        let server = try upstream.startNameServer("--host-record=check.test,10.99.0.1")
        let dead = try #require(IPAddress("10.99.0.77"))
        let alive = try #require(IPAddress(url.hasPrefix("dns") ? "10.1.0.1" : Upstream.address))
        let reports = try await reader.reports(of: url, addresses: [dead, alive])
        #expect(reports.result?.outcome == .success, "\(reports.words)")
        #expect(reports.result?.remoteAddress == alive)
        #expect(Set(reports.words).isSuperset(of: ["silent \(dead)", "heard \(alive)"]), "\(reports.words)")
        withExtendedLifetime(server) {}
    }

    @Test("a probe that carries addresses looks nothing up")
    func given() async throws {
        let reports = try await reader.reports(
            of: "http://nowhere.test/", addresses: [try #require(IPAddress("10.99.0.2"))])
        #expect(reports.words == ["sent 10.99.0.2 up1 via 10.1.0.1", "heard 10.99.0.2", "ended success"])
    }
}
