import EventLoop
import Glibc
import Netlink
import NetworkAddress
import TestSupport
import Testing

@Suite("The neighbourhood", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct NeighbourTests {
    let namespace: TestNamespace
    let router: TestNamespace

    init() throws {
        namespace = try TestNamespace()
        router = try TestNamespace()
        try namespace.ip(
            """
            link add w0 type veth peer name p0
            link set p0 netns \(router.path)
            link set w0 up
            address add 192.0.2.10/24 dev w0
            """)
        try router.ip(
            """
            link set p0 addrgenmode none
            link set p0 address 02:00:00:00:00:01 up
            address add 192.0.2.1/24 dev p0
            address add fe80::1/64 dev p0 nodad
            """)
    }

    @Test("a neighbour that answers, one that was set by hand, and one that was never asked")
    func neighbours() async throws {
        try namespace.run("ip", "neighbour", "add", "192.0.2.7", "lladdr", "02:00:00:00:00:07", "dev", "w0")
        // Any packet makes the kernel ask for the neighbour.
        try namespace.run("bash", "-c", "echo > /dev/udp/192.0.2.1/9")
        let found = try await namespace.inside {
            var socket = try RequestSocket()
            let index = try #require(try socket.link(name: "w0")).index
            let asked = try #require(IPAddress("192.0.2.1"))
            let deadline = MonotonicTime.now.advanced(by: .seconds(10))
            while try socket.neighbour(asked, index: index)?.hardwareAddress == nil, MonotonicTime.now < deadline {
                usleep(1000)
            }
            return try ["192.0.2.1", "192.0.2.7", "192.0.2.99"].map { text in
                try socket.neighbour(#require(IPAddress(text)), index: index)
            }
        }
        #expect(found[0]?.hardwareAddress?.description == "02:00:00:00:00:01")
        #expect(found[0]?.confirmed.map { $0 < 6000 } == true)
        #expect(found[0]?.state.isDisjoint(with: [.reachable, .delay, .stale, .probe]) == false)
        #expect(found[1]?.state == .permanent)
        #expect(found[1]?.hardwareAddress?.description == "02:00:00:00:00:07")
        #expect(found[2] == nil)
    }

    @Test("what a router advertises for programs: resolvers, search domains, the portal's API")
    func advertisement() async throws {
        let advertisement = RouterAdvertisement(options: [
            .recursiveDNSServers(["2001:db8::53", "2001:db8::54"], lifetime: 600),
            .searchDomains(["example.org", "lan"], lifetime: 601),
            .captivePortal("https://portal.example/api"),
        ])
        let news = try await namespace.inside { [router] in
            var socket = try NotificationSocket(groups: .neighbourDiscoveryOption)
            // Again and again: a link that has just come up does not listen yet.
            let deadline = MonotonicTime.now.advanced(by: .seconds(10))
            repeat {
                try router.sendAndForget(advertisement, by: "p0")
            } while !socket.waitUntilReadable(milliseconds: 200) && MonotonicTime.now < deadline
            return try socket.collect {
                if case .userOption(let message) = $0, case .captivePortal = message.option { true } else { false }
            }
        }
        let messages = news.compactMap { if case .userOption(let message) = $0 { message } else { nil } }
        #expect(messages.allSatisfy { $0.router == IPAddress("fe80::1") })
        let servers = try ["2001:db8::53", "2001:db8::54"].map { try #require(IPAddress($0)) }
        #expect(
            messages.map(\.option).prefix(3) == [
                .recursiveDNSServers(servers, lifetime: 600), .searchDomains(["example.org", "lan"], lifetime: 601),
                .captivePortal("https://portal.example/api"),
            ])
    }
}
