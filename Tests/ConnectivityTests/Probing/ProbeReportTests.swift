import EventLoop
import Evidence
import NetworkAddress
import Resolver
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

/// What probes of each kind tell of their exchanges, over a link with the real thing behind it.
@Suite(
    "What probes tell while they go on",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(5)))
struct ProbeReportTests {
    private static let second = "10.99.0.2"
    private let client: TestNamespace
    private let upstream: Upstream
    private let loop: EventLoop
    private let reader: ReportReader

    init() async throws {
        client = try TestNamespace()
        upstream = try Upstream(
            "up1", number: 1, of: client, metric: 100, ipv6: true,
            location: """
                location / { return 204; } location = /away { return 302 http://\(Self.second)/; }
                location = /kept { return 407; }
                """)
        try upstream.uplink.router.ip("address add \(Self.second)/32 dev lo")
        try upstream.uplink.router.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        try client.run("sh", "-c", "echo '0 2147483647' > /proc/sys/net/ipv4/ping_group_range")
        loop = try EventLoop(networkNamespace: client.descriptor)
        reader = try await ReportReader(on: loop)
    }

    private func addresses(_ texts: String...) -> [IPAddress] { texts.compactMap { IPAddress($0) } }

    @Test(
        "the way when it is sent, and the first word, bound or not",
        arguments: ["http://10.99.0.1/", "tcp://10.99.0.1:80", "icmp://10.99.0.1"], [nil, "up1"])
    func heard(url: String, interface: String?) async throws {
        let reports = try await reader.reports(of: url, interface: interface)
        #expect(reports.words == ["sent 10.99.0.1 up1 via 10.1.0.1", "heard 10.99.0.1", "ended success"])
        guard case .heard(_, _, let delay) = reports[1] else { return }
        #expect(delay > .zero && delay < .seconds(20))
    }

    @Test("an address on the link has no gateway, and this host's own leaves by the loopback")
    func ways() async throws {
        #expect(
            try await reader.reports(of: "tcp://10.1.0.1:80").words
                == ["sent 10.1.0.1 up1", "heard 10.1.0.1", "ended success"])
        #expect(try await reader.reports(of: "tcp://10.1.0.2:9").words.first == "sent 10.1.0.2 lo")
        #expect(
            try await reader.reports(of: "http://127.0.0.1:9/").words == [
                "sent 127.0.0.1 lo", "heard 127.0.0.1", "ended failure",
            ])
        #expect(
            try await reader.reports(of: "tcp://[\(Upstream.address6)]:80").words.first
                == "sent fd99::1 up1 via fd00:1::1")
    }

    @Test(
        "a refusal is a word, and so is a handshake that fails",
        arguments: [
            "http://10.99.0.1:9/", "tcp://10.99.0.1:9", "tls://10.99.0.1:80",
        ])
    func refused(url: String) async throws {
        let words = try await reader.reports(of: url).words
        #expect(
            words == ["sent 10.99.0.1 up1 via 10.1.0.1", "heard 10.99.0.1", "ended failure"])
    }

    @Test(
        "nothing comes by the time-out",
        arguments: [
            "http://10.99.0.1/", "tcp://10.99.0.1:80", "icmp://10.99.0.1", "dns://10.99.0.1/check.test",
        ])
    func silent(url: String) async throws {
        try upstream.dropAll()
        let words = try await reader.reports(of: url, timeout: .milliseconds(400)).words
        #expect(
            words == ["sent 10.99.0.1 up1 via 10.1.0.1", "silent 10.99.0.1", "ended failure"])
    }

    @Test(
        "a router says that it cannot be reached",
        arguments: [
            "http://192.0.2.9/", "tcp://192.0.2.9:80", "icmp://192.0.2.9", "dns://192.0.2.9/check.test",
        ])
    func told(url: String) async throws {
        try upstream.uplink.router.ip("route add unreachable 192.0.2.0/24")
        let words = try await reader.reports(of: url).words
        #expect(
            words == ["sent 192.0.2.9 up1 via 10.1.0.1", "told 192.0.2.9", "ended failure"])
    }

    @Test(
        "without a route nothing is sent",
        arguments: [
            "http://10.99.0.1/", "tcp://10.99.0.1:80", "icmp://10.99.0.1", "dns://10.99.0.1/check.test",
        ])
    func noRoute(url: String) async throws {
        try upstream.uplink.deleteDefaultRoute()
        #expect(try await reader.reports(of: url).words == ["ended failure"])
    }

    @Test(
        "of two addresses of a family the one that answers counts, where the first is silent",
        arguments: ["http", "tcp"])
    func silentFirstAddress(scheme: String) async throws {
        try upstream.uplink.router.ip("route add blackhole 192.0.2.9/32")
        let reports = try await reader.reports(
            of: "\(scheme)://check.test:80", addresses: addresses("192.0.2.9", Upstream.address), timeout: .seconds(3))
        #expect(
            reports.words == [
                "sent 192.0.2.9 up1 via 10.1.0.1", "silent 192.0.2.9", "sent 10.99.0.1 up1 via 10.1.0.1",
                "heard 10.99.0.1", "ended success",
            ])
        #expect(reports.result?.remoteAddress?.description == Upstream.address)
    }

    @Test("the families are asked in turn, so that a dead one leaves time for the other")
    func deadFamily() async throws {
        try upstream.uplink.router.run("ip", "-6", "route", "add", "blackhole", "fd98::/64")
        let reports = try await reader.reports(
            of: "tcp://check.test:80", addresses: addresses("fd98::1", "fd98::2", "fd98::3", Upstream.address),
            timeout: .seconds(2))
        #expect(
            reports.words == [
                "sent fd98::1 up1 via fd00:1::1", "silent fd98::1", "sent 10.99.0.1 up1 via 10.1.0.1",
                "heard 10.99.0.1", "ended success",
            ])
    }

    @Test(
        "an address that no route leads to is not asked where there are others, nor told in their place",
        arguments: [("tcp", nil), ("tcp", "up1"), ("http", "up1")] as [(String, String?)])
    func oneWithoutRoute(scheme: String, interface: String?) async throws {
        try upstream.uplink.router.run("ip", "-6", "route", "add", "blackhole", "fd98::/64")
        try upstream.uplink.deleteDefaultRoute()
        let reports = try await reader.reports(
            of: "\(scheme)://check.test:80", interface: interface, addresses: addresses("fd98::1", Upstream.address),
            timeout: .seconds(1))
        #expect(reports.words == ["sent fd98::1 up1 via fd00:1::1", "silent fd98::1", "ended failure"])
        #expect(reports.result?.reason == .connectTimeout, "\(String(describing: reports.result))")
    }

    @Test("an address that refuses is followed by the next at once", arguments: ["http", "tcp"])
    func refusingFirstAddress(scheme: String) async throws {
        let reports = try await reader.reports(
            of: "\(scheme)://check.test:80", addresses: addresses("10.1.0.2", Upstream.address), timeout: .seconds(20))
        #expect(reports.result?.outcome == .success, "\(reports.words)")
        let time = try #require(reports.result?.durationNanoseconds)
        // libcurl's next look of its own accord, for the sake of another family, is 200 ms later.
        #expect(time < 150_000_000, "\(time)")
    }

    @Test(
        "where no local port is left nothing is sent, and that is this host's own want",
        arguments: ["http://10.99.0.1/", "tcp://10.99.0.1:80"])
    func noPort(url: String) async throws {
        try client.run("sysctl", "-qw", "net.ipv4.ip_local_port_range=40000 40001")
        let holder = try client.start(
            "python3", "-u", "-c",
            """
            import socket, time
            kept = [socket.socket() for _ in range(2)]
            for number, one in enumerate(kept): one.bind(("0.0.0.0", 40000 + number))
            print("ready")
            time.sleep(600)
            """)
        try #require(holder.becomesReady { !holder.output.isEmpty })
        let reports = try await reader.reports(of: url)
        #expect(reports.words == ["ended failure"])
        #expect(reports.result?.reason == .overloaded, "\(String(describing: reports.result))")
    }

    @Test(
        "where an address is wanting, and no port, the target cannot be reached",
        arguments: ["http://[fd99::1]/", "tcp://[fd99::1]:80"])
    func noSource(url: String) async throws {
        try client.run("ip", "-6", "address", "flush", "dev", "up1")
        let result = try #require(try await reader.reports(of: url).result)
        #expect(result.outcome == .failure)
        #expect(result.reason != .overloaded, "\(result)")
    }

    @Test("a proxy that wants a password has refused, and not the target answered")
    func proxyRefuses() async throws {
        var target = try Target("http://check.test/kept")
        target.proxy = "http://10.1.0.1:80"
        let result = try #require(try await reader.reports(of: target).result)
        #expect(result.reason == .proxyRefused, "\(result)")
        #expect(result.statusCode == 407)
    }

    @Test("the family that loses the race says nothing")
    func race() async throws {
        try upstream.dropAll(["-6"])
        let words = try await reader.reports(
            of: "http://check.test/", addresses: addresses(Upstream.address6, Upstream.address)
        ).words
        #expect(words.prefix(2) == ["sent fd99::1 up1 via fd00:1::1", "sent 10.99.0.1 up1 via 10.1.0.1"])
        #expect(Set(words.dropFirst(2).dropLast()) == ["heard 10.99.0.1", "void fd99::1"])
        #expect(words.last == "ended success")
    }

    @Test("a redirect leads to a second host, which is another exchange")
    func redirect() async throws {
        var target = try Target("http://\(Upstream.address)/away")
        target.redirects = 3
        #expect(
            try await reader.reports(of: target).words == [
                "sent 10.99.0.1 up1 via 10.1.0.1", "heard 10.99.0.1", "sent 10.99.0.2 up1 via 10.1.0.1",
                "heard 10.99.0.2", "ended success",
            ])
    }

    @Test("each address is an exchange where each is asked")
    func eachAddress() async throws {
        var target = try Target("http://check.test/")
        target.eachAddress = true
        let words = try await reader.reports(of: target, addresses: addresses(Upstream.address, Self.second)).words
        #expect(
            words.sorted() == [
                "ended success", "heard 10.99.0.1", "heard 10.99.0.2", "sent 10.99.0.1 up1 via 10.1.0.1",
                "sent 10.99.0.2 up1 via 10.1.0.1",
            ])
    }

    @Test("with a proxy the proxy is the host")
    func proxy() async throws {
        var target = try Target("http://192.0.2.7/")
        target.proxy = "http://\(Upstream.address):80"
        let words = try await reader.reports(of: target).words
        #expect(words.prefix(2) == ["sent 10.99.0.1 up1 via 10.1.0.1", "heard 10.99.0.1"])
        #expect(words.count == 3)
    }

    @Test("nothing more is told of what was cancelled, and of what goes on in its order")
    func cancelled() async throws {
        try upstream.dropAll()
        let probe = Probe(id: 900, target: try Target("tcp://10.99.0.1:80"), timeout: .seconds(20))
        await reader.runner.start([probe])
        await reader.runner.cancel([900])
        #expect(try await reader.reports(of: "tcp://10.1.0.1:80").words.last == "ended success")
    }

    // MARK: Touches

    private func host(_ address: String, gateway: String? = "10.1.0.1") throws -> Host {
        Host(
            address: try #require(IPAddress(address)),
            way: Way(interface: "up1", gateway: gateway.flatMap { IPAddress($0) }))
    }

    @Test(
        "a touch hears a host that accepts, and one that refuses", arguments: [80, 9, nil] as [UInt16?], [true, false])
    func touched(port: UInt16?, isBound: Bool) async throws {
        let words = try await reader.touch(host(Upstream.address), port: port, isBound: isBound).words
        #expect(words == ["sent 10.99.0.1 up1 via 10.1.0.1", "heard 10.99.0.1", "answered expected"])
    }

    @Test("a touch is silent, told by a router, or has no route")
    func untouched() async throws {
        try upstream.uplink.router.ip("route add unreachable 192.0.2.0/24")
        let told = try await reader.touch(host("192.0.2.9")).words
        #expect(told == ["sent 192.0.2.9 up1 via 10.1.0.1", "told 192.0.2.9", "answered nothing"])
        try upstream.dropAll()
        let silent = try await reader.touch(host(Upstream.address), timeout: .milliseconds(800)).words
        #expect(silent == ["sent 10.99.0.1 up1 via 10.1.0.1", "silent 10.99.0.1", "answered nothing"])
        try upstream.uplink.deleteDefaultRoute()
        for isBound in [true, false] {
            #expect(try await reader.touch(host(Upstream.address), isBound: isBound).words == ["answered noRoute"])
        }
        #expect(try await reader.touch(host("10.1.0.1", gateway: nil), isBound: true).answer == .expected)
    }
}
