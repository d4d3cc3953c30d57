import Netlink
import NetworkAddress
import Reachability
import TestSupport
import Testing

/// Changes without the message that people wait for. The numbers are those of the catalogue of cases in the documentation.
@Suite("A: changes without a message", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct SilentChangeTests {
    @Test("A1 a link set down ends the IPv4 path, and set up again does not bring it back")
    func a1AdminDown() async throws {
        let host = try await Host.online()
        try host.near.ip("link set w0 down")
        await host.wait(for: .none)
        #expect(host.log.transitions.map(\.cause.kind) == [.link])
        #expect(host.path.reason == .adminDown)

        host.log.clear()
        try host.near.ip("link set w0 up")
        await host.wait { $0.interface("w0")?.hasCarrier == true && $0.reason == .noRoute }
        #expect(host.path.status == .none)
        #expect(host.log.transitions.isEmpty)

        try host.setDefault(.ipv4, to: 0)
        await host.wait(for: .ethernet)
    }

    @Test(
        "A2 a lost carrier ends the path although the kernel still routes into the dead link",
        arguments: AddressFamily.allCases)
    func a2CarrierLoss(_ family: AddressFamily) async throws {
        let host = try await Host.online(families: [family])
        try host.far.ip("link set p0 down")
        await host.wait(for: .none)
        #expect(host.path.reason == .noCarrier)
        #expect(host.path[family].interface == "w0")
        #expect(host.path[family].kernel?.contains("dev w0") == true)
        #expect(host.log.transitions.count == 1)
    }

    @Test("A2 with ignore_routes_with_linkdown the spare takes over")
    func a2Ignored() async throws {
        let host = try await Host.online(uplinks: 2)
        try host.near.run("sysctl", "-qw", "net.ipv4.conf.all.ignore_routes_with_linkdown=1")
        try host.setDefault(.ipv4, to: 1, metric: 100)
        await host.settle()
        host.log.clear()
        try host.far.ip("link set p0 down")
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.log.transitions.map(\.path.interfacesInUse) == [["w1"]])
    }

    @Test("A3 a sysctl moves the path with no other message")
    func a3Netconf() async throws {
        let host = try await Host.online(uplinks: 2)
        try host.setDefault(.ipv4, to: 1, metric: 100)
        try host.far.ip("link set p0 down")
        await host.wait(for: .none)
        host.log.clear()
        try host.near.run("sysctl", "-qw", "net.ipv4.conf.w0.ignore_routes_with_linkdown=1")
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.log.transitions.map(\.cause.kind) == [.netconf])
    }

    @Test("A4 the last IPv4 address takes all default routes of its link along, and does not bring them back")
    func a4LastAddress() async throws {
        let host = try await Host.online()
        try host.near.ip(
            """
            route add default via 192.0.0.1 dev w0 metric 50
            route add default dev w0 metric 60
            """)
        try host.near.ip("address delete 192.0.0.2/24 dev w0")
        await host.wait(for: .none)
        #expect(host.log.transitions.map(\.cause.kind) == [.address])
        #expect(host.path.ipv4.reason == .noAddress)

        host.log.clear()
        try host.bringUp(0)
        await host.wait { $0.interface("w0")?.addresses.contains { $0.address == IPAddress("192.0.0.2") } == true }
        #expect(host.path.status == .none)
        #expect(host.path.ipv4.reason == .noRoute)
    }

    @Test("A5 a leg of a multipath route without carrier is shown, and both without carrier are no path")
    func a5Multipath() async throws {
        let host = try await Host.online(uplinks: 2, families: [])
        try host.near.ip(
            """
            route add default nexthop via 192.0.0.1 dev w0 nexthop via 192.0.1.1 dev w1
            route add default nexthop via 2001:db8:0::1 dev w0 nexthop via 2001:db8:1::1 dev w1
            """)
        await host.wait(for: .ethernet)
        #expect(host.path.reason == nil)
        #expect(host.path.ipv4.legs.map(\.isUsable) == [true, true])

        try host.far.ip("link set p1 down")
        await host.wait { $0.reason == .legWithoutCarrier }
        #expect(host.path.status == .ethernet)
        for family in [host.path.ipv4, host.path.ipv6] {
            #expect(family.interface == "w0")
            #expect(family.reason == .legWithoutCarrier)
            #expect(family.legs.sorted { $0.interface < $1.interface }.map(\.isUsable) == [true, false])
        }
        let dead = try deadShare(of: 40, in: host)
        #expect(dead > 0, "the kernel still hashes flows onto the dead leg")

        try host.far.ip("link set p0 down")
        await host.wait(for: .none)
        #expect(host.path.reason == .noCarrier)
    }

    private func deadShare(of count: Int, in host: Host) throws -> Int {
        try (1...count).count { try host.near.run("ip", "route", "get", "17.0.\($0).9").contains("dev w1") }
    }

    @Test("A5 a leg that was set down is passed over by the kernel")
    func a5LegDown() async throws {
        let host = try await Host.online(uplinks: 2, families: [])
        try host.near.ip("route add default nexthop via 192.0.0.1 dev w0 nexthop via 192.0.1.1 dev w1")
        await host.wait(for: .ethernet)
        try host.near.ip("link set w1 down")
        await host.wait(for: .ethernet, by: ["w0"])
        #expect(host.path.ipv4.legs.first { $0.interface == "w1" }?.isUsable == false)
    }

    @Test(
        "A5 a leg whose link has lost its last address is never chosen, and no way out where the other has no carrier")
    func a5LegWithoutAddress() async throws {
        let host = try await Host.online(uplinks: 2, families: [])
        try host.near.ip(
            """
            route add default nexthop via \(host.gateway(.ipv4, 0)) dev w0 nexthop via \(host.gateway(.ipv4, 1)) dev w1
            address delete 192.0.0.2/24 dev w0
            """)
        await host.wait { $0.ipv4.legs.map(\.isUsable) == [false, true] }
        #expect(host.path.status == .ethernet)
        try host.far.ip("link set p1 down")
        await host.wait(for: .none)
    }

    @Test("A6 a deleted nexthop object takes its route along in silence")
    func a6NexthopDeleted() async throws {
        let host = try await Host.online(families: [])
        try host.near.ip(
            """
            nexthop add id 1 via 192.0.0.1 dev w0
            route add default nhid 1
            """)
        await host.wait(for: .ethernet)
        host.log.clear()
        try host.near.ip("nexthop delete id 1")
        await host.wait(for: .none)
        #expect(host.log.transitions.map(\.cause.kind) == [.nexthop])
    }

    @Test("A6 a link set down takes nexthop objects and shrinks groups in silence")
    func a6NexthopLinkDown() async throws {
        let host = try await Host.online(uplinks: 2, families: [])
        try host.near.ip(
            """
            nexthop add id 10 via 192.0.0.1 dev w0
            nexthop add id 11 via 192.0.1.1 dev w1
            nexthop add id 12 group 10/11
            route add default nhid 12
            """)
        await host.wait { $0.ipv4.legs.count == 2 }
        try host.near.ip("link set w0 down")
        await host.wait(for: .ethernet, by: ["w1"])
        try host.near.ip("link set w1 down")
        await host.wait(for: .none)
    }

    @Test("A7 a deleted link ends the path, and its index may come again without it")
    func a7LinkDeleted() async throws {
        let host = try await Host.online()
        let index = try #require(host.path.ipv4.interfaceIndex)
        try host.near.ip("link delete w0")
        await host.wait(for: .none)
        #expect(host.log.transitions.count == 1)
        #expect(host.path.interfaces.isEmpty)
        try host.near.ip("link add w9 index \(index) type veth peer name p9")
        await host.settle()
        #expect(host.path.interface("w9") == nil, "nothing of the deleted link may cling to its index")
    }

    @Test("A7 a deleted namespace takes the veth's near end with it")
    func a7NamespaceDeleted() async throws {
        let host = try Host()
        try joinAndLeave(host)
        try await host.start()
        await host.wait(for: .none)
        #expect(host.path.interfaces.isEmpty)
    }

    /// Connects the host to a namespace that ends with this function.
    private func joinAndLeave(_ host: Host) throws {
        let passing = try TestNamespace()
        try host.near.ip("link add w0 type veth peer name p0 netns \(passing.path)")
        try passing.ip("link set p0 up")
        try host.bringUp(0)
        try host.setDefault(.ipv4, to: 0)
    }

    @Test("A8 the default moves between two live links by metric, with no link message")
    func a8Metric() async throws {
        let host = try await Host.online(uplinks: 2, families: [])
        try host.setDefault(.ipv4, to: 0, metric: 100)
        try host.setDefault(.ipv4, to: 1, metric: 200)
        await host.wait(for: .ethernet, by: ["w0"])
        host.log.clear()
        let before = host.monitor.statistics.messages.link
        try host.setDefault(.ipv4, to: 1, metric: 50)
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.monitor.statistics.messages.link == before)
        #expect(host.log.transitions.count == 1)
    }

    @Test("A9 an MTU below 1280 ends IPv6 and leaves IPv4, and restored it does not bring IPv6 back")
    func a9SmallMTU() async throws {
        let host = try await Host.online(families: [.ipv4, .ipv6])
        #expect(host.path.supportsIPv6)
        try host.near.ip("link set w0 mtu 1279")
        await host.wait { !$0.supportsIPv6 }
        #expect(host.path.supportsIPv4)
        #expect(host.log.transitions.isEmpty)
        try host.near.ip("link set w0 mtu 1500")
        await host.wait { $0.interface("w0")?.mtu == 1500 }
        #expect(!host.path.supportsIPv6)
    }

    @Test("A11 a dormant link carries nothing although it has carrier and the kernel routes by it")
    func a11Dormant() async throws {
        let host = try await Host.online()
        try host.near.ip("link set w0 mode dormant")
        try host.near.ip("link set w0 down")
        try host.bringUp(0)
        try host.setDefault(.ipv4, to: 0)
        await host.wait { $0.reason == .dormant }
        #expect(host.path.status == .none)
        #expect(host.path.ipv4.kernel?.contains("dev w0") == true)
        try host.near.ip("link set w0 mode default state UP")
        await host.wait(for: .ethernet)
    }
}
