import Echo
import EventLoop
import Glibc
import NetworkAddress
import SystemPackage
import TestSupport
import Testing

@Suite("ICMP echo", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct EchoTests {
    private let namespace: TestNamespace
    private let loop: EventLoop
    private let pinger: Pinger

    init() throws {
        namespace = try TestNamespace()
        try namespace.run("sysctl", "-qw", "net.ipv4.ping_group_range=0 2147483647")
        loop = try EventLoop(networkNamespace: namespace.descriptor)
        pinger = Pinger(loop: loop)
    }

    @Test("a host that answers is told with its time and hop limit", arguments: ["127.0.0.1", "::1"])
    func reply(text: String) async throws {
        let address = try #require(IPAddress(text))
        let reply = try await pinger.echo(to: address)
        #expect(reply.address == address)
        #expect(reply.roundTrip > .zero && reply.roundTrip < .seconds(10))
        #expect(reply.hopLimit == 64)
    }

    @Test("a thousand requests side by side are all answered, over a few sockets")
    func manyRequests() async throws {
        let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<1000 {
                let address = IPAddress.v4(IPv4Address(rawValue: 0x7F00_0001 + UInt32(index % 200)))
                group.addTask { try await pinger.echo(to: address, timeout: .seconds(30)).address == address }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answered == 1000)
    }

    @Test("without a route the request is refused at once", arguments: ["192.0.2.1", "2001:db8::1"])
    func noRoute(text: String) async throws {
        let address = try #require(IPAddress(text))
        await #expect(throws: EchoError.unreachable(address, .networkUnreachable)) {
            try await pinger.echo(to: address)
        }
    }

    @Test("a request that this host's own link drops is lost as any")
    func droppedHere() async throws {
        let router = try TestNamespace()
        try namespace.ip("link add up0 type veth peer name far0 netns \(router.path)\nlink set up0 up")
        try namespace.ip("addr add 10.9.0.2/24 dev up0")
        try router.ip("link set far0 up\naddr add 10.9.0.1/24 dev far0")
        let address = try #require(IPAddress("10.9.0.1"))
        _ = try await pinger.echo(to: address)
        try namespace.run("tc", "qdisc", "replace", "dev", "up0", "root", "bfifo", "limit", "1")
        await #expect(throws: EchoError.timedOut(address, after: .milliseconds(200))) {
            try await pinger.echo(to: address, timeout: .milliseconds(200))
        }
    }

    @Test("a router's word that there is no way on ends the wait")
    func unreachable() async throws {
        let router = try routerWithoutWay()
        let address = try #require(IPAddress("198.51.100.1"))
        await #expect(throws: EchoError.unreachable(address, .noRouteToHost)) {
            try await pinger.echo(to: address, timeout: .seconds(30))
        }
        withExtendedLifetime(router) {}
    }

    @Test("a router's word about one host is none about another that is asked at the same time")
    func wordOfAnother() async throws {
        let router = try routerWithoutWay()
        let (near, far) = (try #require(IPAddress("10.9.0.1")), try #require(IPAddress("198.51.100.1")))
        _ = try await pinger.echo(to: near)
        for _ in 0..<10 {
            async let lost = try? pinger.echo(to: far, timeout: .seconds(5))
            async let reply = pinger.echo(to: near, timeout: .seconds(5))
            #expect(try await reply.address == near)
            _ = await lost
        }
        withExtendedLifetime(router) {}
    }

    /// The way out: a router that says that it has none on.
    private func routerWithoutWay() throws -> TestNamespace {
        let router = try TestNamespace()
        try namespace.ip("link add up0 type veth peer name far0 netns \(router.path)\nlink set up0 up")
        try namespace.ip("addr add 10.9.0.2/24 dev up0")
        try router.ip("link set far0 up\naddr add 10.9.0.1/24 dev far0\nroute add unreachable 198.51.100.0/24")
        try router.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
        try namespace.ip("route add default via 10.9.0.1")
        return router
    }

    @Test("a redirect is no end of a request, which is answered all the same")
    func redirected() async throws {
        let (router, second) = (try TestNamespace(), try TestNamespace())
        try namespace.ip("link add up0 type veth peer name far0 netns \(router.path)\nlink set up0 up")
        try namespace.ip("addr add 10.9.0.2/24 dev up0\nroute add default via 10.9.0.1")
        try namespace.run(
            "sysctl", "-qw", "net.ipv4.conf.all.accept_redirects=0", "net.ipv4.conf.up0.accept_redirects=0")
        try router.ip("link add hub type bridge\nlink add far1 type veth peer name up1 netns \(second.path)")
        try router.ip("link set far0 master hub\nlink set far1 master hub\nlink set far0 up\nlink set far1 up")
        try router.ip("link set hub up\naddr add 10.9.0.1/24 dev hub\nroute add 198.51.100.0/24 via 10.9.0.3")
        let sysctls = [
            "net.ipv4.ip_forward=1", "net.ipv4.conf.all.send_redirects=1", "net.ipv4.conf.hub.send_redirects=1",
        ]
        for sysctl in sysctls { try router.run("sysctl", "-qw", sysctl) }
        try second.ip("link set lo up\nlink set up1 up\naddr add 10.9.0.3/24 dev up1\naddr add 198.51.100.1/32 dev lo")
        for near in ["10.9.0.1", "10.9.0.3"] { try await waitForHost(near) }
        let address = try #require(IPAddress("198.51.100.1"))
        for _ in 0..<3 {
            #expect(try await pinger.echo(to: address, timeout: .seconds(10)).address == address)
        }
        let counts = try router.run("cat", "/proc/net/snmp")
        let lines = counts.split(separator: "\n").filter { $0.hasPrefix("Icmp:") }.map { $0.split(separator: " ") }
        let place = try #require(lines[0].firstIndex(of: "OutRedirects"))
        #expect(lines[1][place] != "0", "no redirect was sent")
        withExtendedLifetime((router, second)) {}
    }

    /// A bridge begins to pass packets on some time after its ports are up, later on a machine that has much to do.
    private func waitForHost(_ text: String) async throws {
        let address = try #require(IPAddress(text))
        for _ in 0..<30 {
            if (try? await pinger.echo(to: address, timeout: .seconds(1))) != nil { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("\(text) does not answer")
    }

    @Test("a host that is silent ends in a time-out")
    func silence() async throws {
        try namespace.ip("link add up0 type veth peer name far0\nlink set far0 up\nlink set up0 up")
        try namespace.ip("addr add 10.9.0.2/24 dev up0\nneigh add 10.9.0.1 lladdr 02:00:00:00:00:09 dev up0")
        let address = try #require(IPAddress("10.9.0.1"))
        await #expect(throws: EchoError.timedOut(address, after: .milliseconds(200))) {
            try await pinger.echo(to: address, timeout: .milliseconds(200))
        }
    }

    @Test("a cancelled request ends at once")
    func cancellation() async throws {
        try namespace.ip("link add up0 type veth peer name far0\nlink set far0 up\nlink set up0 up")
        try namespace.ip("addr add 10.9.0.2/24 dev up0\nneigh add 10.9.0.1 lladdr 02:00:00:00:00:09 dev up0")
        let address = try #require(IPAddress("10.9.0.1"))
        let start = MonotonicTime.now
        let task = Task { try await pinger.echo(to: address, timeout: .seconds(60)) }
        try await loop.sleep(for: .milliseconds(20))
        task.cancel()
        await #expect(throws: EchoError.cancelled) { try await task.value }
        #expect(start.duration(to: .now) < .seconds(30))
    }

    @Test("a bound request leaves by its interface, and one bound to nothing is not sent")
    func interface() async throws {
        let loopback = try #require(IPAddress("127.0.0.1"))
        #expect(try await pinger.echo(to: loopback, interface: "lo").address == loopback)
        await #expect(throws: EchoError.interfaceRefused("absent0", Errno(rawValue: ENODEV))) {
            try await pinger.echo(to: loopback, interface: "absent0")
        }
        await #expect(throws: EchoError.interfaceRefused("", .noSuchAddressOrDevice)) {
            try await pinger.echo(to: loopback, interface: "")
        }
    }

    @Test("where ICMP is not permitted, the error says what to do")
    func notPermitted() async throws {
        try namespace.run("sysctl", "-qw", "net.ipv4.ping_group_range=1 0")
        let loopback = try #require(IPAddress("127.0.0.1"))
        await #expect(throws: EchoError.notPermitted) { try await pinger.echo(to: loopback) }
        #expect(EchoError.notPermitted.description.contains("ping_group_range"))
    }
}
