import Glibc
import Netlink
import NetworkAddress
import TestSupport
import Testing

@Suite(
    "Dumps say what the kernel's own tools say",
    .enabled(if: TestNamespace.unavailable == nil, "no network namespaces here"))
struct DumpTests {
    let namespace: TestNamespace

    init() throws {
        namespace = try TestNamespace()
        try namespace.ip(
            """
            link add w0 type veth peer name p0
            link add br0 type bridge
            link set w0 addrgenmode none
            link set p0 addrgenmode none
            link set br0 addrgenmode none
            link set p0 master br0
            link set w0 mtu 1400 up
            link set p0 up
            link set br0 up
            link property add dev w0 altname a-rather-long-alternative-name altname short
            link add link w0 name mac0 type macvlan
            address add 192.0.2.10/24 dev w0
            address add 198.51.100.1 peer 198.51.100.2/32 dev br0
            address add 2001:db8::10/64 dev w0 nodad
            """)
    }

    @Test("links: name, index, flags, MTU, state, address, kind, controller, altnames")
    func links() async throws {
        let (links, listing) = try await namespace.inside { [namespace] in
            var socket = try RequestSocket()
            try namespace.waitUntilSettled()
            return (try socket.links(), try InterfaceListing.all(in: namespace))
        }
        #expect(!links.wasInterrupted)
        #expect(Set(links.values.map(\.index)) == Set(listing.map(\.ifindex)))
        for expected in listing {
            let link = try #require(links.values.first { $0.index == expected.ifindex })
            let controller = links.values.first { $0.index == link.controllerIndex }
            #expect(link.name == expected.ifname)
            #expect(link.mtu == expected.mtu)
            #expect("\(link.operationalState)".lowercased() == expected.operstate.lowercased())
            #expect(link.flags.contains(.up) == expected.flags.contains("UP"))
            #expect(link.flags.contains(.lowerUp) == expected.flags.contains("LOWER_UP"))
            #expect(link.hardwareAddress?.description == expected.address)
            #expect(link.alternativeNames == expected.altnames ?? [])
            #expect(link.kind == expected.linkinfo?.info_kind)
            #expect(link.slaveKind == expected.linkinfo?.info_slave_kind)
            #expect(controller?.name == expected.master)
        }
    }

    @Test("links: a link on top of another names that as its lower link")
    func lowerLink() async throws {
        let (upper, lower) = try await namespace.inside {
            var socket = try RequestSocket()
            return (try socket.link(name: "mac0"), try socket.link(name: "a-rather-long-alternative-name"))
        }
        #expect(lower?.name == "w0")
        #expect(upper?.lowerIndex == lower?.index)
        #expect(upper?.kind == "macvlan")
    }

    @Test("a link that is not there is nil, by index and by name", arguments: [15, 16])
    func absentLink(nameLength: Int) async throws {
        let found = try await namespace.inside {
            var socket = try RequestSocket()
            return (
                try socket.link(index: 4711), try socket.link(name: String(repeating: "x", count: nameLength))
            )
        }
        #expect(found.0 == nil)
        #expect(found.1 == nil)
    }

    @Test("addresses: both families, peers, labels, flags")
    func addresses() async throws {
        let addresses = try await namespace.inside {
            var socket = try RequestSocket()
            return try socket.addresses().values
        }
        let listing = try InterfaceListing.all(in: namespace)
        #expect(addresses.count == listing.reduce(0) { $0 + $1.addr_info.count })
        for interface in listing {
            for expected in interface.addr_info {
                let address = try #require(
                    addresses.first { $0.index == interface.ifindex && $0.address.description == expected.local })
                #expect(Int(address.prefixLength) == expected.prefixlen)
                #expect(address.peer?.description == expected.address)
                #expect(address.label == expected.label)
                #expect(address.flags.contains(.tentative) == (expected.tentative ?? false))
            }
        }
    }

    @Test("rules: source, mark, interface, table, inversion, for each family", arguments: AddressFamily.allCases)
    func rules(family: AddressFamily) async throws {
        let option = family == .ipv4 ? "-4" : "-6"
        let source = family == .ipv4 ? "192.0.2.0/24" : "2001:db8::/32"
        try namespace.run("ip", option, "rule", "add", "priority", "100", "from", source, "table", "77")
        try namespace.run(
            "ip", option, "rule", "add", "priority", "200", "not", "fwmark", "0xca6c/0xffff", "iif", "w0", "table",
            "51820")
        let rules = try await namespace.inside {
            var socket = try RequestSocket()
            return try socket.rules(family).values
        }
        let bySource = try #require(rules.first { $0.priority == 100 })
        #expect(bySource.source == IPPrefix(source))
        #expect(bySource.table == 77)
        let byMark = try #require(rules.first { $0.priority == 200 })
        #expect(byMark.isInverted)
        #expect(byMark.mark == 0xCA6C)
        #expect(byMark.mask == 0xFFFF)
        #expect(byMark.inputInterface == "w0")
        #expect(byMark.table == 51820)
        #expect(rules.contains { $0.table == 254 })
        #expect(rules.allSatisfy { $0.family == family })
    }

    @Test("routes: those of one type in one table, and none of a table that is not there")
    func routes() async throws {
        try namespace.ip(
            """
            route add unreachable 203.0.113.0/24
            route add unreachable default table 77
            route add prohibit 203.0.113.0/24 table 77
            route add 203.0.113.9/32 dev w0 table 77
            route add unreachable 2001:db8:9::/48 table 77
            """)
        let (found, other, none) = try await namespace.inside {
            var socket = try RequestSocket()
            return (
                try socket.routes(.ipv4, type: .unreachable, in: 77).values,
                try socket.routes(.ipv6, type: .unreachable, in: 77).values,
                try socket.routes(.ipv4, type: .unreachable, in: 78).values
            )
        }
        #expect(found.map(\.destination.description) == ["0.0.0.0/0"])
        #expect(found.map(\.table) == [77])
        #expect(other.map(\.destination.description) == ["2001:db8:9::/48"])
        #expect(none.isEmpty)
    }

    @Test("nexthop objects: gateway, device, groups with weights, blackhole; an absent one is nil")
    func nexthops() async throws {
        try namespace.ip(
            """
            nexthop add id 10 via 192.0.2.1 dev w0
            nexthop add id 11 blackhole
            nexthop add id 12 via 2001:db8::1 dev w0
            nexthop add id 13 via 192.0.2.2 dev w0
            nexthop add id 20 group 10,3/13
            """)
        let (all, ten, none) = try await namespace.inside {
            var socket = try RequestSocket()
            return (try socket.nexthops().values, try socket.nexthop(10), try socket.nexthop(99))
        }
        #expect(all.map(\.id).sorted() == [10, 11, 12, 13, 20])
        #expect(all.first { $0.id == 11 }?.isBlackhole == true)
        #expect(all.first { $0.id == 12 }?.gateway == IPAddress("2001:db8::1"))
        #expect(all.first { $0.id == 20 }?.group == [.init(id: 10, weight: 3), .init(id: 13, weight: 1)])
        #expect(ten?.gateway == IPAddress("192.0.2.1"))
        #expect(none == nil)
    }

    @Test("netconf: settings of a device and of all", arguments: AddressFamily.allCases)
    func netconfs(family: AddressFamily) async throws {
        try namespace.run("sysctl", "-w", "net.\(family.rawValue).conf.w0.ignore_routes_with_linkdown=1")
        try namespace.run("sysctl", "-w", "net.ipv4.conf.w0.rp_filter=2")
        let (settings, index) = try await namespace.inside {
            var socket = try RequestSocket()
            return (try socket.netconfs(family).values, try socket.link(name: "w0")?.index)
        }
        let own = try #require(settings.first { $0.index == index })
        #expect(own.ignoresRoutesWithLinkDown == true)
        #expect(own.reversePathFilter == (family == .ipv4 ? 2 : nil))
        #expect(settings.contains { $0.index == nil })
    }
}
