import EventLoop
import Foundation
import NetworkAddress
import Reachability
import RequestEngine
import Resolver
import SystemPackage
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

/// How probes look names up, at real name servers behind a link.
@Suite(
    "Names of targets",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(3)))
struct NameTests {
    private let client: TestNamespace
    private let upstream: Upstream
    private let loop: EventLoop

    init() throws {
        client = try TestNamespace()
        upstream = try Upstream("up1", number: 1, of: client, metric: 100)
        loop = try EventLoop(networkNamespace: client.descriptor)
    }

    private func probe(
        _ url: String, isPublic: Bool = false, servers: Bool = true, resolved: String = "/none",
        interface: String? = "up1",
        timeout: Duration = .seconds(20)
    ) async throws -> ProbeResult {
        var configuration = ConnectivityConfiguration()
        if servers { configuration.nameServers["up1"] = IPAddress(upstream.uplink.gateway).map { [NameServer($0)] } }
        let prober = Prober(loop: loop, configuration: configuration, resolvedSocket: resolved)
        try await prober.usePresentPath()
        var target = try Target(url, name: url)
        target.isPublic = isPublic
        return await prober.result(of: Probe(id: 1, target: target, interface: interface, timeout: timeout))
    }

    /// A name server that sends every name to one address.
    private func startHijacker(_ address: String) throws -> BackgroundProcess {
        try upstream.startNameServer("--address=/#/\(address)")
    }

    @Test("a name server that answers every name with one address is told, where nobody answers there")
    func hijacked() async throws {
        let server = try startHijacker("192.0.2.77")
        try upstream.uplink.router.ip("route add blackhole 192.0.2.77/32")
        let result = try await probe("http://shop.example/", timeout: .seconds(2))
        #expect(result.reason == .nameHijacked, "\(result)")
        #expect(result.failure?.contains("192.0.2.77") == true)
        withExtendedLifetime(server) {}
    }

    @Test("a wrong page behind such a name server is a hijack; the right page is none")
    func wrongPage() async throws {
        let server = try startHijacker(Upstream.address)
        #expect(try await probe("http://shop.example/").outcome == .success)
        let wrong = try await probe("http://shop.example:81/")
        #expect(wrong.reason == .nameHijacked, "\(wrong)")
        withExtendedLifetime(server) {}
    }

    @Test("a name server that knows names that do not exist fails as a target of its own")
    func dishonest() async throws {
        let server = try startHijacker(Upstream.address)
        let result = try await probe("dns://\(upstream.uplink.gateway)/shop.example")
        #expect(result.reason == .nameHijacked, "\(result)")
        withExtendedLifetime(server) {}
    }

    @Test("probes that fail at one time have one invented name asked for, also where the first of them is cancelled")
    func inventedOnce() async throws {
        let server = try upstream.uplink.router.start("python3", "-u", "-c", Self.inventingNameServer)
        try #require(server.becomesReady { !server.output.isEmpty })
        let prober = Prober(loop: loop, configuration: ConnectivityConfiguration(), resolvedSocket: "/none")
        let asked = [NameServer(try #require(IPAddress("10.1.0.1")))]
        let first = Task { await prober.names.inventions(of: asked, interface: "up1") }
        first.cancel()
        #expect(await first.value.isEmpty)
        await withTaskGroup(of: [IPAddress].self) { group in
            for _ in 0..<20 { group.addTask { await prober.names.inventions(of: asked, interface: "up1") } }
            for await found in group { #expect(found.map(\.description) == [Upstream.address]) }
        }
        let names = server.output.split(separator: "\n").filter { $0.hasSuffix(".invalid") }
        #expect(Set(names).count == 1, "\(server.output)")
    }

    @Test("the doubt about name servers that are silent ends soon after the time of a probe that somebody waits for")
    func briefDoubt() async throws {
        // What does not exist is asked for where nobody listens.
        let server = try upstream.startNameServer("--server=/invalid/192.0.2.53")
        try upstream.uplink.router.ip("route add 192.0.2.0/24 via 10.1.0.2")
        try upstream.dropAll()
        var configuration = ConnectivityConfiguration()
        configuration.nameServers["up1"] = ["10.1.0.1", "192.0.2.54"].compactMap { IPAddress($0) }
            .map { NameServer($0) }
        let monitor = PathMonitor(loop: loop)
        let path = try await monitor.start()
        await monitor.stop()
        var target = try Target("tcp://check.test:80")
        target.interface = "up1"
        let prober = SpotProber(loop: loop)
        let start = MonotonicTime.now
        let probe = await prober.probe(
            target, at: nil, within: .milliseconds(500), path: path, configuration)
        let took = start.duration(to: .now)
        #expect(probe.result.reason == .connectTimeout, "\(probe.result)")
        // The doubt would take a second.
        #expect(took < .milliseconds(1300), "\(took)")
        withExtendedLifetime(server) {}
    }

    /// Says after a moment that every name is at the server, and has no IPv6 address; prints which it was asked for.
    private static let inventingNameServer = """
        import socket, time
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("10.1.0.1", 53))
        print("ready")
        while True:
            query, client = server.recvfrom(512)
            if len(query) < 17: continue
            question = query[12:query.index(0, 12) + 5]
            print(question[1:1 + question[0]].decode() + ".invalid")
            time.sleep(0.05)
            record = bytes([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 10, 99, 0, 1]) if question[-3] == 1 else b""
            head = query[:2] + bytes([0x81, 0x80, 0, 1, 0, 1 if record else 0]) + bytes(4)
            server.sendto(head + question + record, client)
        """

    @Test("an answer that is lost for one family is silence, though the other has no address")
    func oneFamilySilent() async throws {
        let server = try upstream.uplink.router.start("python3", "-u", "-c", Self.withoutIPv4Answers)
        try #require(server.becomesReady { !server.output.isEmpty })
        let result = try await probe("http://check.test/", timeout: .seconds(1))
        #expect(result.reason == .nameServerFailed, "\(result)")
        let resolver = Resolver(
            configuration: ResolverConfiguration(
                servers: IPAddress("10.1.0.1").map { [NameServer($0)] } ?? [], attemptTimeout: .milliseconds(300),
                timeout: .milliseconds(600)), loop: loop)
        do {
            _ = try await resolver.addresses(of: "check.test")
            Issue.record("there is no address")
        } catch {
            guard case .timedOut = error else { throw error }
        }
    }

    /// Says that a name has no IPv6 address, and nothing of its others.
    static let withoutIPv4Answers = nameServer(
        answering: "0 if query[end:end + 2] == bytes([0, 28]) else None")

    /// A name server that answers with a code and nothing else, or not at all.
    ///
    /// - Parameter code: In Python, of the `query` whose name goes up to `end`.
    private static func nameServer(answering code: String) -> String {
        """
        import socket
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("10.1.0.1", 53))
        print("ready")
        while True:
            query, client = server.recvfrom(512)
            if len(query) < 17: continue
            end = query.index(0, 12) + 1
            code = \(code)
            if code is None: continue
            server.sendto(query[:2] + bytes([0x81, 0x80 | code]) + query[4:6] + bytes(6) + query[12:end + 4], client)
        """
    }

    /// Says of every name that it is to be asked by TCP, and does not answer by that, in the way that its argument names: without one
    /// it takes nothing.
    static let cutAnswers = """
        import socket, struct, sys, threading
        way = sys.argv[1] if len(sys.argv) > 1 else "untaken"
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("10.1.0.1", 53))
        streams = socket.socket()
        streams.bind(("10.1.0.1", 53))
        kept = []
        def take():
            while True:
                stream = streams.accept()[0]
                stream.recv(512)
                if way == "reset": stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                if way == "silent": kept.append(stream)
                else: stream.close()
        if way != "refused": streams.listen(64)
        if way not in ("refused", "untaken"): threading.Thread(target=take, daemon=True).start()
        print("ready")
        while True:
            query, client = server.recvfrom(512)
            if len(query) < 17: continue
            end = query.index(0, 12) + 1
            server.sendto(query[:2] + bytes([0x83, 0x80]) + query[4:6] + bytes(6) + query[12:end + 4], client)
        """

    @Test("name servers that deny a name are asked for the next, and those that gave no answer are not asked again")
    func denied() async throws {
        let server = try upstream.uplink.router.start("python3", "-u", "-c", Self.denyingNameServer)
        try #require(server.becomesReady { !server.output.isEmpty })
        let prober = Prober(loop: loop, configuration: ConnectivityConfiguration(), resolvedSocket: "/none")
        let probe = Probe(id: 1, target: try Target("http://nas/"), interface: "up1", timeout: .seconds(3))
        // At the first nothing listens.
        let servers = try [Upstream.address, "10.1.0.1"].map { NameServer(try #require(IPAddress($0))) }
        let found = await ServerInquiry(for: probe, prober).answers(
            toFirstOf: ["nas.corp.example", "nas.lan", "nas"], servers)
        #expect(found.name == "nas")
        #expect(found.answers.map(\.server) == [servers[1], servers[0]])
        #expect(found.answers.map(\.code) == [ServerAnswer.serverFailure, nil])
        withExtendedLifetime(server) {}
    }

    /// Says that a name with a dot is not there, and of any other that it could not find out.
    private static let denyingNameServer = nameServer(answering: "2 if end == 12 + query[12] + 2 else 3")

    @Test("for how the network translates IPv4 a name server on this host is asked, whatever a probe is bound to")
    func translation() async throws {
        let server = try client.start(
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file=",
            "--listen-address=127.0.0.1", "--bind-interfaces", "--no-resolv", "--no-hosts",
            "--host-record=ipv4only.arpa,64:ff9b::c000:aa")
        try FreePort.waitForListener("-u", "sport = :53", in: client)
        let folder = try TemporaryFolder()
        let files = NameFiles(resolver: try folder.write("nameserver 127.0.0.1\n".utf8, to: "resolv.conf").string)
        let prober = Prober(
            loop: loop, configuration: ConnectivityConfiguration(), resolvedSocket: "/none", files: files)
        let probe = Probe(id: 1, target: try Target("http://check.test/"), interface: "up1", timeout: .seconds(3))
        #expect(await ServerInquiry(for: probe, prober).translation() == IPAddress("64:ff9b::"))
        withExtendedLifetime(server) {}
    }

    @Test(
        "a reverse-path filter is why no name server was heard where it drops what they answer, and only there",
        arguments: [
            ("127.0.0.1", .nameServerFailed), ("10.2.0.1", .nameServerFailed), ("10.99.0.53", .reversePathFilter),
        ] as [(String, ConnectivityReason)])
    func filtered(server: String, reason: ConnectivityReason) async throws {
        let second = try Upstream("up2", number: 2, of: client, metric: 200)
        try second.uplink.router.ip("address add 10.99.0.53/32 dev lo")
        try client.run("sysctl", "-qw", "net.ipv4.conf.up2.rp_filter=1")
        let namespace = server == "127.0.0.1" ? client : second.uplink.router
        let silent = try await NameServerStub(in: namespace, at: server, code: nil)
        var configuration = ConnectivityConfiguration()
        configuration.nameServers["up2"] = [NameServer(try #require(IPAddress(server)))]
        let prober = Prober(loop: loop, configuration: configuration, resolvedSocket: "/none")
        try await prober.usePresentPath()
        let target = try Target("http://check.test/")
        let result = await prober.result(of: Probe(id: 1, target: target, interface: "up2", timeout: .seconds(1)))
        #expect(result.reason == reason, "\(result)")
        withExtendedLifetime((second, silent)) {}
    }

    @Test("where no local port is left for a question, that is this host's own want")
    func noPort() async throws {
        let server = try upstream.startNameServer()
        let holder = try client.takeAllPorts()
        let result = try await probe("http://check.test/")
        #expect(result.reason == .overloaded, "\(result)")
        withExtendedLifetime((server, holder)) {}
    }

    @Test("an honest name server is not blamed for a target that is down")
    func honest() async throws {
        let server = try upstream.startNameServer()
        #expect(try await probe("http://check.test:81/").reason == .connectionRefused)
        #expect(try await probe("dns://\(upstream.uplink.gateway)/check.test").outcome == .success)
        withExtendedLifetime(server) {}
    }

    @Test("a public name at a private address is a hijack")
    func privateAddress() async throws {
        let server = try upstream.startNameServer()
        let result = try await probe("http://check.test/", isPublic: true)
        #expect(result.reason == .nameHijacked, "\(result)")
        #expect(result.failedPhase == .resolve)
        withExtendedLifetime(server) {}
    }

    @Test("systemd-resolved is asked for a link's names where it knows servers, else the link's own servers are")
    func resolved() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/resolve"
        let server = try upstream.startNameServer()
        let resolved = try SocketServer(unixSocket: path) { connection in
            var question: [UInt8] = []
            var byte: UInt8 = 0
            while read(connection.descriptor, &byte, 1) == 1, byte != 0 { question.append(byte) }
            let isKnown = String(decoding: question, as: UTF8.self).contains("known.test")
            let answer = #"{"parameters":{"addresses":[{"family":2,"address":[10,99,0,1]}]}}"#
            connection.send((isKnown ? answer : #"{"error":"io.systemd.Resolve.NoNameServers"}"#) + "\0")
        }
        let known = try await probe("http://known.test/", servers: false, resolved: path)
        #expect(known.outcome == .success, "\(known)")
        #expect(known.remoteAddress?.description == Upstream.address)
        // The configuration's servers go before.
        #expect(try await probe("http://known.test/", resolved: path).reason == .nameNotFound)
        withExtendedLifetime((resolved, server)) {}
    }

    @Test(
        "the real systemd-resolved finds a link's names at the link's servers",
        .enabled(if: ResolvedDaemon.isInstalled, "systemd-resolved is not installed"))
    func realResolved() async throws {
        let server = try upstream.startNameServer()
        let daemon = try ResolvedDaemon(in: client, link: "up1", nameServer: upstream.uplink.gateway)
        let known = try await probe("http://check.test/", servers: false, resolved: daemon.socket)
        #expect(known.outcome == .success, "\(known)")
        #expect(known.remoteAddress?.description == Upstream.address)
        #expect(try await probe("http://other.test/", servers: false, resolved: daemon.socket).reason == .nameNotFound)
        withExtendedLifetime((server, daemon)) {}
    }
}
