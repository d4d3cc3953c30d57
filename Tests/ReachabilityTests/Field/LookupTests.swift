import Netlink
import NetworkAddress
import Reachability
import TestSupport
import Testing

/// What the look-up itself answers, and what it leaves out.
@Suite("B: the look-up itself", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct LookupTests {
    @Test("B1 with nexthop_compat_mode=0 a replaced nexthop object moves the path")
    func b1CompatMode() async throws {
        let host = try await Host.online(uplinks: 2, families: [])
        try host.near.run("sysctl", "-qw", "net.ipv4.nexthop_compat_mode=0")
        try host.near.ip(
            """
            nexthop add id 1 via 192.0.0.1 dev w0
            route add default nhid 1
            """)
        await host.wait(for: .ethernet, by: ["w0"])
        #expect(host.path.ipv4.gateway == IPAddress("192.0.0.1"))
        host.log.clear()
        try host.near.ip("nexthop replace id 1 via 192.0.1.1 dev w1")
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.log.transitions.map(\.cause.kind) == [.nexthop])
    }

    @Test("B1 an entry that does not lead to the destination gives no table, injected")
    func b1AnotherEntry() throws {
        var world = World()
        world.add(.uplink(2, "w0"), "2001:db8:0::2/64")
        world.question.destinations = [try #require(IPAddress("2001:db8:1::77"))]
        world.addRoute(try #require(IPPrefix("2001:db8:1::/80")), via: "2001:db8:0::1", dev: 2)
        let own = try world.path().ipv6
        #expect(own.isUsable && own.table == 254)
        // Both routes lead over one nexthop object, and this processor was asked about the other one first.
        var other = RouteMessage(destination: try #require(IPPrefix("2607::/16")), table: 255, type: .unicast)
        other.priority = 100
        other.nextHops = [NextHop(outputInterface: 3, gateway: nil), NextHop(outputInterface: 2, gateway: own.gateway)]
        world.routes[0].named = other
        var expected = own
        expected.table = nil
        expected.metric = nil
        #expect(try world.path().ipv6 == expected)
    }

    @Test("B2 a default replaced in place and then deleted leaves no ghost")
    func b2Replace() async throws {
        let host = try await Host.online(uplinks: 2)
        try host.near.ip("route replace default via 192.0.1.1 dev w1")
        await host.wait(for: .ethernet, by: ["w1"])
        try host.deleteDefault(.ipv4, of: 1)
        await host.wait(for: .none)
        #expect(host.path.reason == .noRoute)
    }

    @Test(
        "B3 a spare without a route is not usable, whatever the kernel invents for it",
        arguments: AddressFamily.allCases)
    func b3Spare(_ family: AddressFamily) async throws {
        let host = try await Host.online(uplinks: 2, families: [family])
        let spare = try #require(host.path.interface("w1"))
        #expect(spare[family] == .unusable(.noRoute))
        try host.setDefault(family, to: 1, metric: 5000)
        await host.wait { $0.interface("w1")?[family].isUsable == true }
        #expect(host.path.interface("w1")?[family].gateway == IPAddress(host.gateway(family, 1)))
        #expect(host.path.interfacesInUse == ["w0"])
        #expect(host.log.transitions.isEmpty)
    }

    @Test(
        "B4 a reject route is told by its kind", arguments: [PathReason.blackhole, .unreachable, .prohibit],
        AddressFamily.allCases)
    func b4Reject(_ reason: PathReason, _ family: AddressFamily) async throws {
        let host = try await Host.online(families: [family])
        try host.deleteDefault(family, of: 0)
        try host.near.ip("route add \(reason.rawValue) \(IPPrefix.all(of: family))")
        await host.wait { $0[family].reason == reason }
        #expect(host.path.status == .none)
        #expect(host.monitor.statistics.failures == 0)
        try host.setDefault(family, to: 0)
        await host.wait { $0[family].isUsable }
    }

    /// A host with two uplinks and an address of each family on both.
    private func twoUplinks() -> World {
        var world = World()
        world.add(.uplink(2, "w0"), "192.0.2.2/24", "2001:db8:0::2/64")
        world.add(.uplink(3, "w1"), "198.51.100.2/24", "2001:db8:1::2/64")
        return world
    }

    private func twoUplinksOnline() -> World {
        var world = twoUplinks()
        world.setDefault(.ipv4, via: "192.0.2.1", dev: 2)
        world.setDefault(.ipv6, via: "2001:db8:0::1", dev: 2)
        return world
    }

    @Test(
        "B4 a reject route to a network that stands for the Internet ends nothing, injected",
        arguments: [["2607:f8b0::/32"], ["2607:f8b0::/32", "2a00:1450::/32"], ["17.0.0.0/8"], ["200.0.0.0/8"]])
    func b4SpecialReject(_ prefixes: [String]) throws {
        var world = twoUplinksOnline()
        for prefix in prefixes { world.reject(try #require(IPPrefix(prefix))) }
        let path = try world.path()
        #expect(path.ipv4.isUsable && path.ipv4.reason == nil && path.ipv4.interface == "w0")
        #expect(path.ipv6.isUsable && path.ipv6.reason == nil && path.ipv6.interface == "w0")
        #expect(path.interface("w0")?.ipv4.isUsable == true && path.interface("w0")?.ipv6.isUsable == true)
        world.change(2) { $0.flags = .up }
        let cut = try world.path()
        #expect(cut.ipv4.reason == .noCarrier && cut.ipv6.reason == .noCarrier, "as of the general route")
    }

    @Test("B4 it does where that very place is asked about, or where all the rest is rejected, too, injected")
    func b4WholeReject() throws {
        var world = twoUplinksOnline()
        world.reject(try #require(IPPrefix("2607:f8b0::/32")))
        world.question.destinations = [try #require(IPAddress("2607:f8b0::1"))]
        #expect(try world.path().ipv6.reason == .unreachable)
        world = twoUplinks()
        for family in AddressFamily.allCases { world.reject(.all(of: family), .prohibit) }
        world.reject(try #require(IPPrefix("2607:f8b0::/32")))
        world.reject(try #require(IPPrefix("17.0.0.0/8")), .prohibit)
        #expect(try world.path().ipv4.reason == .prohibit)
        #expect(try !world.path().ipv6.isUsable)
    }

    @Test("routes to the networks that stand for the Internet do not stand for it beside a general one, injected")
    func specialRoutes() throws {
        var world = twoUplinksOnline()
        for prefix in ["2607:f8b0::/32", "2a00:1450::/32"] {
            world.addRoute(try #require(IPPrefix(prefix)), via: "2001:db8:1::1", dev: 3)
        }
        let path = try world.path()
        #expect(path.ipv6.interface == "w0" && path.ipv6.reason == nil)
        #expect(path.interface("w1")?.ipv6.isUsable == true)
        // Without a general one they are all there is.
        world.routes.removeAll { $0.destination.length == 0 }
        #expect(try world.path().ipv6.interface == "w1")
        // A piece of the default route is as general as that.
        world.addRoute(try #require(IPPrefix("2000::/3")), via: nil, dev: 2)
        #expect(try world.path().ipv6.interface == "w0")
    }

    @Test("B4 a reject route to a network that stands for the Internet ends nothing")
    func b4RealReject() async throws {
        let host = try await Host.online(families: [.ipv4, .ipv6])
        try host.near.ip(
            """
            route add unreachable 2607:f8b0::/32
            route add unreachable 2a00:1450::/32
            route add blackhole 17.0.0.0/8
            """)
        await host.settle()
        #expect(host.path.ipv4.isUsable && host.path.ipv4.reason == nil)
        #expect(host.path.ipv6.isUsable && host.path.ipv6.reason == nil)
        #expect(host.log.transitions.isEmpty)
        try host.deleteDefault(.ipv6, of: 0)
        await host.wait { $0.ipv6.reason == .unreachable }
    }

    @Test("B4 a throw route is no route")
    func b4Throw() async throws {
        let host = try await Host.online()
        try host.deleteDefault(.ipv4, of: 0)
        try host.near.ip("route add throw default")
        await host.wait(for: .none)
        #expect(host.path.ipv4.reason == .noRoute)
    }

    @Test("B5 another user's packets leave by another way")
    func b5User() async throws {
        var configuration = PathMonitor.Configuration()
        configuration.userID = 1500
        let host = try await Host.online(uplinks: 2, configuration)
        try host.near.ip(
            """
            route add default via 192.0.1.1 dev w1 table 100
            rule add uidrange 1500-1500 table 100
            """)
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.log.transitions.last?.cause.kind == .rule)
    }

    @Test("B5 packets of another protocol and port leave by another way")
    func b5Port() async throws {
        var configuration = PathMonitor.Configuration()
        configuration.ipProtocol = 6
        configuration.destinationPort = 443
        let host = try await Host.online(uplinks: 2, configuration)
        try host.near.ip(
            """
            route add default via 192.0.1.1 dev w1 table 100
            rule add ipproto tcp dport 443 table 100
            """)
        await host.wait(for: .ethernet, by: ["w1"])
    }

    @Test("B5 marked packets leave by another way")
    func b5Mark() async throws {
        var configuration = PathMonitor.Configuration()
        configuration.mark = 7
        let host = try await Host.online(uplinks: 2, configuration)
        try host.near.ip(
            """
            route add default via 192.0.1.1 dev w1 table 100
            rule add fwmark 7 table 100
            """)
        await host.wait(for: .ethernet, by: ["w1"])
    }

    @Test("B6 halves of the default route that disagree are split", arguments: AddressFamily.allCases)
    func b6Split(_ family: AddressFamily) async throws {
        let host = try await Host.online(uplinks: 2, families: [family])
        let halves = family == .ipv4 ? ["0.0.0.0/1", "128.0.0.0/1"] : ["2000::/5", "2800::/5"]
        try host.near.ip("route add \(halves[0]) via \(host.gateway(family, 1)) dev w1")
        await host.wait { $0.reason == .split }
        #expect(host.path.interfacesInUse == ["w1"])
        try host.near.ip("route add \(halves[1]) via \(host.gateway(family, 1)) dev w1")
        await host.wait { $0.reason == nil }
        #expect(host.path.interfacesInUse == ["w1"])
        try host.near.ip("route delete \(halves[0])")
        try host.deleteDefault(family, of: 0)
        await host.wait { $0.reason == .split && $0.interfacesInUse == ["w1"] }
        #expect(host.path.status == .ethernet)
    }

    @Test(
        "B6 a route to some network does not stand for the Internet",
        arguments: ["17.0.0.0/8", "17.0.0.1/32", "2607::/16", "2607:f8b0::1/128"])
    func b6Special(_ destination: String) async throws {
        let family = try #require(IPPrefix(destination)).address.family
        let host = try await Host.online(uplinks: 2, families: [family])
        try host.near.ip("route add \(destination) via \(host.gateway(family, 1)) dev w1")
        await host.wait { $0.interface("w1")?[family].isUsable == true }
        #expect(host.path.interfacesInUse == ["w0"])
        #expect(host.path[family].gateway == IPAddress(host.gateway(family, 0)))
        #expect(host.path.reason == nil)
        #expect(host.log.transitions.isEmpty)
    }

    @Test("B5 a rule passes over the routes by a link's group as soon as the link joins it")
    func b5Group() async throws {
        let host = try await Host.online(uplinks: 2)
        try host.near.ip(
            """
            route add default via 192.0.1.1 dev w1 table 100
            rule add preference 100 lookup main suppress_ifgroup 7
            rule add preference 200 lookup 100
            """)
        await host.settle()
        #expect(host.path.interfacesInUse == ["w0"])
        host.log.clear()
        try host.near.ip("link set w0 group 7")
        await host.wait(for: .ethernet, by: ["w1"])
        #expect(host.path.ipv4.table == 100)
        #expect(host.log.transitions.map(\.cause.kind) == [.link])
        try host.near.ip("link set w0 group default")
        await host.wait(for: .ethernet, by: ["w0"])
    }

    @Test("B8 IPv6 is not usable until its source has been checked for duplicates")
    func b8Tentative() async throws {
        let host = try await Host.online(families: [.ipv6])
        try host.near.run("sysctl", "-qw", "net.ipv6.conf.w0.accept_dad=1", "net.ipv6.conf.w0.dad_transmits=1")
        try host.near.ip("address delete 2001:db8:0::2/64 dev w0")
        await host.wait(for: .none)
        host.log.clear()
        try host.near.ip("address add 2001:db8:0::2/64 dev w0")
        await host.wait(for: .ethernet)
        let between = host.log.updates.filter { $0.path.interface("w0")?.addresses.contains { $0.isTentative } == true }
        #expect(between.count == 1, "the tentative address was seen first")
        #expect(between.allSatisfy { !$0.path.supportsIPv6 && $0.path.ipv6.reason == .tentative })
    }

    @Test("B8 the loopback's own address is no source for what is elsewhere")
    func b8Loopback() async throws {
        let host = try await Host.online(families: [.ipv6])
        try host.near.ip("link set lo up")
        try host.near.ip("address flush dev w0")
        await host.wait { $0.ipv6.reason == .noAddress }
        #expect(host.path.ipv6.source == IPAddress("::1"), "what the kernel would take")
        #expect(host.path.status == .none)
    }

    @Test("B8 an address that another host has is no source")
    func b8Duplicate() async throws {
        let host = try await Host.online(families: [.ipv6])
        try host.near.run("sysctl", "-qw", "net.ipv6.conf.w0.accept_dad=1", "net.ipv6.conf.w0.dad_transmits=1")
        try host.far.ip("address add 2001:db8:0::3/64 dev p0 nodad")
        try host.near.ip(
            """
            address delete 2001:db8:0::2/64 dev w0
            address add 2001:db8:0::3/64 dev w0
            """)
        await host.wait { $0.ipv6.reason == .duplicateAddress }
        #expect(host.path.status == .none)
    }

    @Test("an address that another host has is not why there is no route where another address is well")
    func duplicateBesideOwn() async throws {
        let host = try await Host.online(families: [])
        try host.near.run("sysctl", "-qw", "net.ipv6.conf.w0.accept_dad=1", "net.ipv6.conf.w0.dad_transmits=1")
        try host.far.ip("address add 2001:db8:0::3/64 dev p0 nodad")
        try host.near.ip("address add 2001:db8:0::3/64 dev w0")
        await host.wait { $0.interface("w0")?.addresses.contains { $0.isDuplicate } == true }
        #expect(host.path.interface("w0")?.ipv6 == .unusable(.noRoute))
        #expect(host.path.ipv6.reason == .noRoute)
    }

    @Test("B4 a throw route hides an IPv6 route from all but those who ask by its link")
    func b4ThrowBefore() async throws {
        let host = try await Host.online(families: [.ipv6])
        try host.near.ip("route add throw 2000::/3")
        await host.wait { !$0.ipv6.isUsable && $0.interface("w0")?.ipv6.isUsable == true }
        #expect(host.path.status == .none)
        #expect(host.path.interface("w0")?.ipv6.gateway == IPAddress(host.gateway(.ipv6, 0)))
    }

    @Test("B9 a reject route of a large metric beside a real one changes nothing")
    func b9Shadow() async throws {
        let host = try await Host.online()
        try host.near.ip("route add unreachable default metric 4278198272")
        await host.settle()
        #expect(host.path.status == .ethernet)
        #expect(host.log.updates.isEmpty)
        try host.deleteDefault(.ipv4, of: 0)
        await host.wait { $0.ipv4.reason == .unreachable }
        try host.setDefault(.ipv4, to: 0)
        await host.wait(for: .ethernet)
    }

    @Test("B10 a tunnel whose daemon is gone is no path, though the kernel still routes into it")
    func b10DeadTunnel() async throws {
        let host = try await Host.online()
        try host.near.ip(
            """
            tuntap add t0 mode tun
            link set t0 up
            address add 198.51.100.1/32 dev t0
            route add 0.0.0.0/1 dev t0
            route add 128.0.0.0/1 dev t0
            """)
        await host.wait(for: .none)
        #expect(host.path.reason == .tunnelWithoutCarrier)
        #expect(host.path.ipv4.interface == "t0")
    }

    @Test("B11 of a multipath route, an interface's own leg tells its gateway", arguments: AddressFamily.allCases)
    func b11OwnLeg(_ family: AddressFamily) async throws {
        let host = try await Host.online(uplinks: 2, families: [])
        let hops = (0...1).map { "nexthop via \(host.gateway(family, $0)) dev w\($0)" }
        try host.near.ip("route add default \(hops.joined(separator: " "))")
        await host.wait { $0[family].isUsable }
        for number in 0...1 {
            let interface = try #require(host.path.interface("w\(number)"))
            #expect(interface[family].isUsable)
            #expect(interface[family].gateway == IPAddress(host.gateway(family, number)))
        }
    }

    @Test("B11 the same where the legs are nexthop objects")
    func b11NexthopObjects() async throws {
        let host = try await Host.online(uplinks: 2, families: [])
        try host.near.run("sysctl", "-qw", "net.ipv4.nexthop_compat_mode=0")
        try host.near.ip(
            """
            nexthop add id 10 via 192.0.0.1 dev w0
            nexthop add id 11 via 192.0.1.1 dev w1
            nexthop add id 12 group 10/11
            route add default nhid 12
            """)
        await host.wait { $0.ipv4.legs.count == 2 }
        #expect(host.path.interface("w0")?.ipv4.gateway == IPAddress("192.0.0.1"))
        #expect(host.path.interface("w1")?.ipv4.gateway == IPAddress("192.0.1.1"))
    }

    @Test(
        "of the legs left when others lost their carrier the first interface stands for the route",
        arguments: AddressFamily.allCases)
    func remainingLeg(_ family: AddressFamily) async throws {
        let host = try await Host.online(uplinks: 6, families: [])
        // Four of six flows lead nowhere, those to one of the destinations among them, or to none: all say the same.
        let hops = [5, 1, 4, 0, 3, 2].map { "nexthop via \(host.gateway(family, $0)) dev w\($0)" }
        try host.near.ip("route add default \(hops.joined(separator: " "))")
        for number in [0, 1, 3, 5] { try host.far.ip("link set p\(number) down") }
        await host.wait { $0[family].legs.count(where: \.isUsable) == 2 }
        #expect(host.path.reason == .legWithoutCarrier)
        let kernel = try #require(host.path[family].kernel)
        let isTaken = kernel.contains("dev w4 ")
        #expect(host.path[family].interface == (isTaken ? "w4" : "w2"), "\(kernel)")
    }

    @Test("an IPv4 route via an IPv6 gateway, and one without a gateway, are paths like any other")
    func unusualGateways() async throws {
        let host = try await Host.online(families: [])
        try host.near.ip("route add 0.0.0.0/0 via inet6 2001:db8:0::1 dev w0")
        await host.wait(for: .ethernet)
        #expect(host.path.ipv4.gateway == IPAddress("2001:db8:0::1"))
        #expect(host.path.ipv4.kernel == "17.0.0.1 via inet6 2001:db8::1 dev w0 src 192.0.0.2")
        try host.near.ip("route replace 0.0.0.0/0 dev w0")
        await host.wait { $0.ipv4.gateway == nil }
        #expect(host.path.status == .ethernet)
    }

    @Test("an IPv6 default for packets of one source is a path like any other, from that source")
    func sourceSpecific() async throws {
        let host = try await Host.online(families: [])
        try host.near.run(
            "ip", "-6", "route", "add", "default", "from", "2001:db8:0::/64", "via", "fe80::1", "dev", "w0")
        await host.wait(for: .ethernet, by: ["w0"])
        #expect(host.path.ipv6.source == IPAddress("2001:db8:0::2"))
        #expect(host.path.interface("w0")?.ipv6.isUsable == true)
        // As a doubter reads it who asks with that source, and with no other.
        let kernel = try #require(host.path.ipv6.kernel)
        let question = kernel.split(separator: " ").prefix(3).map(String.init)
        #expect(kernel == "\(question[0]) from 2001:db8::2 via fe80::1 dev w0 src 2001:db8::2")
        let answer = try host.near.run("ip", "-6", "route", "get", question[0], question[1], question[2])
        #expect(answer.hasPrefix("\(question.joined(separator: " ")) via fe80::1 dev w0 "), "\(answer)")
    }

    @Test("of several media, only those asked for count")
    func media() async throws {
        var configuration = PathMonitor.Configuration()
        configuration.requiredMedia = [.wifi]
        let host = try await Host.online(configuration)
        #expect(host.path.status == .none)
        #expect(host.path.reason == .mediumNotAllowed)
    }
}
