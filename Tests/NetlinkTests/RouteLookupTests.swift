import Netlink
import NetworkAddress
import SystemPackage
import TestSupport
import Testing

@Suite("FIB look-ups", .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct RouteLookupTests {
    let namespace: TestNamespace

    init() throws {
        namespace = try TestNamespace()
        try namespace.ip(
            """
            link add w0 type veth peer name p0
            link add w1 type veth peer name p1
            link set w0 up
            link set p0 up
            link set w1 up
            link set p1 up
            address add 192.0.2.10/24 dev w0
            address add 198.51.100.10/24 dev w1
            address add 2001:db8::10/64 dev w0 nodad
            address add 2001:db8:1::10/64 dev w1 nodad
            """)
    }

    private func answer(_ query: RouteQuery) async throws -> RouteAnswer {
        try await namespace.inside {
            var socket = try RequestSocket()
            return try socket.answer(query)
        }
    }

    private func answer(_ destination: String, by link: String? = nil) async throws -> RouteAnswer {
        let index = try await index(link)
        return try await answer(RouteQuery(destination: #require(IPAddress(destination)), outputInterface: index))
    }

    private func index(_ link: String?) async throws -> UInt32? {
        guard let link else { return nil }
        return try await namespace.inside {
            var socket = try RequestSocket()
            return try socket.link(name: link)?.index
        }
    }

    @Test(
        "the entry, the source and the gateway are those of ip route get",
        arguments: [("192.0.2.1", "1.1.1.1"), ("2001:db8::1", "2606:4700::1111")])
    func matches(gateway: String, destination: String) async throws {
        try namespace.run("ip", "route", "add", "default", "via", gateway, "dev", "w0", "metric", "100")
        let listing = try #require(try RouteListing.get(destination, in: namespace))
        guard case .route(let match, let chosen?) = try await answer(destination) else {
            Issue.record("no route")
            return
        }
        #expect(match.destination.length == 0)
        #expect(match.table == 254)
        #expect(match.priority == 100)
        #expect(match.outputInterface == (try await index("w0")))
        #expect(match.gateway?.description == gateway)
        #expect(chosen.gateway?.description == listing.gateway)
        #expect(chosen.preferredSource?.description == listing.prefsrc)
    }

    @Test("an IPv4 route by an IPv6 gateway tells that gateway (RTA_VIA)")
    func via() async throws {
        try namespace.run("ip", "-4", "route", "add", "default", "via", "inet6", "fe80::1", "dev", "w0")
        guard case .route(let match, _) = try await answer("1.1.1.1") else {
            Issue.record("no route")
            return
        }
        #expect(match.gateway == IPAddress("fe80::1"))
    }

    @Test("nothing matches: no route", arguments: ["1.1.1.1", "2606:4700::1111"])
    func noRoute(destination: String) async throws {
        #expect(try await answer(destination) == .noRoute)
    }

    @Test("a table of one's own is told with all its 32 bits")
    func table() async throws {
        try namespace.run("ip", "route", "add", "default", "via", "192.0.2.1", "dev", "w0", "table", "100000")
        try namespace.run("ip", "rule", "add", "priority", "50", "fwmark", "0x7", "table", "100000")
        #expect(try await answer("1.1.1.1") == .noRoute)
        let marked = try await answer(RouteQuery(destination: #require(IPAddress("1.1.1.1")), mark: 7))
        guard case .route(let match, _) = marked else {
            Issue.record("no route")
            return
        }
        #expect(match.table == 100_000)
    }

    @Test(
        "B1 an entry that only names a nexthop object is completed with it, or with its group",
        arguments: [(20, ["192.0.2.1"]), (30, ["192.0.2.1", "198.51.100.1"])])
    func b1(id: Int, gateways: [String]) async throws {
        try namespace.run("sysctl", "-w", "net.ipv4.nexthop_compat_mode=0")
        try namespace.ip(
            """
            nexthop add id 20 via 192.0.2.1 dev w0
            nexthop add id 21 via 198.51.100.1 dev w1
            nexthop add id 30 group 20/21
            route add default nhid \(id)
            """)
        guard case .route(let match, let chosen?) = try await answer("1.1.1.1") else {
            Issue.record("no route")
            return
        }
        #expect(match.nexthopID == UInt32(id))
        let told = match.nextHops.isEmpty ? [match.gateway] : match.nextHops.map(\.gateway)
        #expect(told.map { $0?.description } == gateways)
        #expect(chosen.outputInterface != nil)
    }

    @Test("B1 a blackhole nexthop object rejects")
    func b1Blackhole() async throws {
        try namespace.ip("nexthop add id 40 blackhole\nroute add default nhid 40")
        #expect(try await answer("1.1.1.1") == .rejected(.blackhole))
    }

    @Test(
        "B3 a link without a route is told to have none, although the plain look-up invents one",
        arguments: ["1.1.1.1", "2606:4700::1111"])
    func b3(destination: String) async throws {
        try namespace.ip("route add default via 192.0.2.1 dev w0\nroute add default via 2001:db8::1 dev w0")
        if destination == "1.1.1.1" {
            #expect(try RouteListing.get("\(destination) oif w1", in: namespace)?.dev == "w1")
        }
        #expect(try await answer(destination, by: "w1") == .noRoute)
        guard case .route(let match, _) = try await answer(destination, by: "w0") else {
            Issue.record("no route by w0")
            return
        }
        #expect(match.outputInterface == (try await index("w0")))
    }

    @Test("B3 a link that is gone has no route, and that is no failure")
    func b3Gone() async throws {
        for text in ["1.1.1.1", "2606:4700::1111"] {
            let query = RouteQuery(destination: try #require(IPAddress(text)), outputInterface: 4711)
            #expect(try await answer(query) == .noRoute)
        }
    }

    @Test(
        "B4 errno is the answer of a reject route",
        arguments: ["1.1.1.1", "2606:4700::1111"],
        [("blackhole", RouteType.blackhole), ("unreachable", .unreachable), ("prohibit", .prohibit)])
    func b4(destination: String, reject: (name: String, type: RouteType)) async throws {
        let option = destination.contains(":") ? "-6" : "-4"
        try namespace.run("ip", option, "route", "add", reject.name, "default")
        #expect(try await answer(destination) == .rejected(reject.type))
    }

    @Test(
        "B4 a blackhole is one, too, where it would take what goes to 127.0.0.1",
        arguments: ["1.1.1.1", "2606:4700::1111"],
        [
            // As in a namespace whose loopback link was never up.
            "link set lo down\naddress delete 127.0.0.1/8 dev lo",
            "rule add priority 40000 lookup local\nrule delete priority 0",
        ])
    func b4WithoutLoopback(destination: String, change: String) async throws {
        try namespace.ip(
            """
            \(change)
            route add blackhole default
            route add blackhole ::/0
            """)
        #expect(throws: (any Error).self) { try namespace.run("ip", "route", "get", "fibmatch", "127.0.0.1") }
        #expect(try await answer(destination) == .rejected(.blackhole))
    }

    @Test("B4 a throw route is no route", arguments: ["1.1.1.1", "2606:4700::1111"])
    func b4Throw(destination: String) async throws {
        let option = destination.contains(":") ? "-6" : "-4"
        try namespace.run("ip", option, "route", "add", "throw", "default")
        #expect(try await answer(destination) == .noRoute)
    }

    @Test("B4 a wrong question is an error with the kernel's words, and not a blackhole")
    func b4WrongQuestion() async throws {
        var query = RouteQuery(destination: try #require(IPAddress("1.1.1.1")))
        query.ipProtocol = 255
        try namespace.ip("route add blackhole default")
        await #expect {
            _ = try await answer(query)
        } throws: { error in
            guard case NetlinkError.refused(let request, _, let text?) = error else { return false }
            return request == "RTM_GETROUTE to 1.1.1.1" && !text.isEmpty
        }
    }

    @Test("B5 a rule for a user or a port is seen by asking as that user or for that port")
    func b5() async throws {
        try namespace.ip(
            """
            route add default via 192.0.2.1 dev w0
            route add default via 198.51.100.1 dev w1 table 5
            rule add priority 10 uidrange 1500-1500 table 5
            rule add priority 11 ipproto tcp dport 443 table 5
            """)
        var query = RouteQuery(destination: try #require(IPAddress("1.1.1.1")))
        func device(_ query: RouteQuery) async throws -> UInt32? {
            guard case .route(let match, _) = try await answer(query) else { return nil }
            return match.outputInterface
        }
        #expect(try await device(query) == index("w0"))
        query.userID = 1500
        #expect(try await device(query) == index("w1"))
        query.userID = nil
        query.ipProtocol = 6
        query.destinationPort = 443
        #expect(try await device(query) == index("w1"))
    }

    @Test(
        "B5 a rule for a source is seen by asking with that source, which the answer then names",
        arguments: [
            ("198.51.100.10", "198.51.100.1", "1.1.1.1"), ("2001:db8:1::10", "2001:db8:1::1", "2606:4700::1111"),
        ])
    func source(source: String, gateway: String, destination: String) async throws {
        let option = source.contains(":") ? "-6" : "-4"
        try namespace.run("ip", option, "route", "add", "default", "via", gateway, "dev", "w1", "table", "5")
        try namespace.run("ip", option, "rule", "add", "priority", "10", "from", source, "table", "5")
        var query = RouteQuery(destination: try #require(IPAddress(destination)))
        #expect(try await answer(query) == .noRoute)
        query.source = IPAddress(source)
        guard case .route(let match, let chosen?) = try await answer(query) else {
            Issue.record("no route")
            return
        }
        #expect(match.outputInterface == (try await index("w1")))
        #expect(chosen.preferredSource == query.source)
    }

    @Test("an IPv6 route for packets of one source is found, by its own link alone, with the source the kernel chooses")
    func sourceSpecific() async throws {
        try namespace.run("ip", "address", "delete", "2001:db8::10/64", "dev", "w0")
        try namespace.run(
            "ip", "-6", "route", "add", "default", "from", "2001:db8:1::/64", "via", "fe80::1", "dev", "w1")
        for link in [nil, "w1"] {
            guard case .route(let match, let chosen?) = try await answer("2606:4700::1111", by: link) else {
                Issue.record("no route by \(link ?? "any link")")
                continue
            }
            #expect(match.outputInterface == (try await index("w1")))
            #expect(match.gateway == IPAddress("fe80::1"))
            #expect(match.source == IPPrefix("2001:db8:1::/64"))
            #expect(chosen.preferredSource == IPAddress("2001:db8:1::10"))
            #expect(chosen.source == nil)
        }
        #expect(try await answer("2606:4700::1111", by: "w0") == .noRoute)
        #expect(try await leg("2606:4700::1111")?.gateway == IPAddress("fe80::1"))
    }

    @Test("B11 of a multipath route, a question about one link tells that link's leg")
    func b11() async throws {
        try namespace.run(
            "ip", "route", "add", "default", "nexthop", "via", "192.0.2.1", "dev", "w0", "nexthop", "via",
            "198.51.100.1", "dev", "w1", "weight", "3")
        guard case .route(let whole, _) = try await answer("1.1.1.1"),
            case .route(let leg, _) = try await answer("1.1.1.1", by: "w1")
        else {
            Issue.record("no route")
            return
        }
        #expect(whole.nextHops.map { $0.gateway?.description } == ["192.0.2.1", "198.51.100.1"])
        #expect(whole.nextHops.map(\.weight) == [1, 3])
        #expect(leg.outputInterface == (try await index("w1")))
        #expect(leg.gateway == IPAddress("198.51.100.1"))
        #expect(leg.nextHops.isEmpty)
    }

    @Test("B11 a route of more legs than the kernel has room for in an answer tells the one taken")
    func b11ManyLegs() async throws {
        let gateways = (1...250).map { "2001:db8::\(String(0x100 + $0, radix: 16))" }
        try namespace.ip(gateways.map { "route append default via \($0) dev w0" }.joined(separator: "\n"))
        guard case .route(let match, let chosen?) = try await answer("2606:4700::1111"),
            case .route(let leg, _) = try await answer("2606:4700::1111", by: "w0")
        else {
            Issue.record("no route")
            return
        }
        let index = try await index("w0")
        // A kernel that has room tells them all.
        let legs = match.nextHops.isEmpty ? [match.gateway] : match.nextHops.map(\.gateway)
        #expect(legs.allSatisfy { $0.map { gateways.contains($0.description) } == true })
        #expect(chosen.outputInterface == index)
        #expect(chosen.preferredSource == IPAddress("2001:db8::10"))
        #expect(leg.outputInterface == index || leg.nextHops.count == gateways.count)
        #expect(try await answer("2606:4700::1111", by: "w1") == .noRoute)
    }

    private func leg(_ destination: String, by link: String? = nil) async throws -> RouteMessage? {
        let query = RouteQuery(
            destination: try #require(IPAddress(destination)), outputInterface: try await index(link))
        return try await namespace.inside {
            var socket = try RequestSocket()
            return try socket.leg(query)
        }
    }

    @Test("the leg alone is that of the whole answer, with one look-up")
    func legs() async throws {
        try namespace.ip(
            """
            nexthop add id 20 via 192.0.2.1 dev w0
            route add default via 192.0.2.1 dev w0
            route add 1.0.0.0/8 via 198.51.100.1 dev w1
            route add 2.0.0.0/8 nhid 20
            route add blackhole 3.0.0.0/8
            route add throw 4.0.0.0/8
            route add unreachable 2001:db8:3::/48
            route add default via 2001:db8:1::1 dev w1
            """)
        let main = try await leg("9.9.9.9")
        #expect(main?.outputInterface == (try await index("w0")))
        #expect(main?.gateway == IPAddress("192.0.2.1"))
        #expect(try await leg("1.1.1.1")?.gateway == IPAddress("198.51.100.1"))
        #expect(try await leg("2.2.2.2")?.gateway == IPAddress("192.0.2.1"))
        #expect(try await leg("2606:4700::1")?.gateway == IPAddress("2001:db8:1::1"))
        #expect(try await leg("192.0.2.77")?.gateway == nil)
        for own in ["127.0.0.1", "::1", "192.0.2.10", "2001:db8::10"] {
            // The kernel makes the local route of an IPv6 address in a queue of its own, a moment after the address.
            try await expectSoon("a local leg to \(own)") { try await leg(own)?.type == .local }
        }
        #expect(try await leg("3.3.3.3") == nil)
        #expect(try await leg("4.4.4.4") == nil)
        #expect(try await leg("2001:db8:3::1") == nil)
        #expect(try await leg("9.9.9.9", by: "w0")?.gateway == IPAddress("192.0.2.1"))
        #expect(try await leg("9.9.9.9", by: "w1") == nil)
    }
}
