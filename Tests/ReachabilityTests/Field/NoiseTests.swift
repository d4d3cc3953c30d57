import Netlink
import NetworkAddress
import Reachability
import TestSupport
import Testing

/// Messages that mean less than they seem to.
@Suite("C: noise", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct NoiseTests {
    @Test("C1 a port that leaves a bridge is not a deleted link")
    func c1BridgePort() async throws {
        let host = try await Host.online(families: [])
        try host.near.ip(
            """
            link add br0 type bridge
            link set br0 up
            link set w0 master br0
            """)
        await host.settle()
        try host.near.ip("link set w0 nomaster")
        await host.wait { $0.interface("w0")?.isUp == true }
        try host.setDefault(.ipv4, to: 0)
        await host.wait(for: .ethernet, by: ["w0"])
    }

    @Test("C2 a link that moved to another namespace and back has lost everything but its index")
    func c2NamespaceMove() async throws {
        let host = try await Host.online()
        let other = try TestNamespace()
        let index = try #require(host.path.ipv4.interfaceIndex)
        try host.near.ip("link set w0 netns \(other.path)")
        await host.wait(for: .none)
        #expect(host.path.interfaces.isEmpty)
        try other.ip("link set w0 netns \(host.near.path)")
        await host.settle()
        #expect(host.path.interfaces.isEmpty, "it has no address any more: \(host.path.interfaces)")
        try host.bringUp(0)
        try host.setDefault(.ipv4, to: 0)
        await host.wait(for: .ethernet)
        #expect(host.path.ipv4.interfaceIndex == index)
        #expect(host.path.ipv4.via == ["w0"], "its peer counts in another namespace")
    }

    @Test("C3 C10 a rename while up changes no path, and its addresses are not new ones")
    func c3Rename() async throws {
        let host = try await Host.online(families: [.ipv4, .ipv6])
        try host.near.ip("link set w0 name uplink0")
        await host.wait { $0.ipv4.interface == "uplink0" }
        #expect(host.path.status == .ethernet)
        #expect(host.log.updates.allSatisfy { $0.path.status == .ethernet && $0.path.supportsIPv6 })
        #expect(host.log.updates.allSatisfy { $0.cause.kind == .link }, "\(host.log.updates.map(\.cause))")
        #expect(host.log.updates.first?.cause.description == "w0 is now called uplink0")
    }

    @Test("C4 a thousand router advertisements that only renew lifetimes are no news")
    func c4Refreshes() async throws {
        let host = try await Host.online(families: [.ipv6])
        try host.near.ip("address change 2001:db8:0::2/64 dev w0 valid_lft 9000 preferred_lft 8000")
        await host.settle()
        host.log.clear()
        let before = host.monitor.statistics
        let refreshes = (1...1000).map {
            "address change 2001:db8:0::2/64 dev w0 valid_lft \(3600 + $0) preferred_lft \(1800 + $0)"
        }
        try host.near.ip(refreshes.joined(separator: "\n"))
        await host.settle()
        let after = host.monitor.statistics
        #expect(host.log.updates.isEmpty)
        #expect(after.messages.address - before.messages.address >= 1000)
        #expect(after.evaluations == before.evaluations)
    }

    @Test("C4 a deprecated address is seen in the path, and is no transition")
    func c4Deprecated() async throws {
        let host = try await Host.online(families: [.ipv6])
        try host.near.ip("address change 2001:db8:0::2/64 dev w0 valid_lft 9000 preferred_lft 0")
        await host.wait { $0.interface("w0")?.addresses.contains { $0.isDeprecated } == true }
        #expect(host.path.status == .ethernet)
        #expect(host.log.transitions.isEmpty)
    }

    @Test("an IPv6 address whose far end is changed in place is one address still, and gone when it is deleted")
    func changedPeer() async throws {
        let host = try await Host.online(families: [.ipv6])
        let own = try #require(IPAddress("2001:db8:5::2"))
        try host.near.ip("address add 2001:db8:5::2 peer 2001:db8:5::1/128 dev w0 nodad")
        await host.wait { $0.interface("w0")?.addresses.contains { $0.address == own } == true }
        try host.near.ip("address change 2001:db8:5::2 peer 2001:db8:5::9/128 dev w0")
        await host.settle()
        #expect(host.path.interface("w0")?.addresses.filter { $0.address == own }.count == 1)
        try host.near.ip("address delete 2001:db8:5::2 peer 2001:db8:5::9/128 dev w0")
        await host.wait { $0.interface("w0")?.addresses.contains { $0.address == own } == false }
    }

    @Test("C5 (injected) wireless events carry a name only, and change nothing")
    func c5WirelessEvent() {
        var state = NetworkState(Snapshot(links: [.uplink(2, "wlan0")]))
        let before = state
        var event = LinkMessage(index: 2, type: 1, flags: [], name: "wlan0")
        event.isWirelessEvent = true
        #expect(state.apply(.link(.new, event)) == nil)
        #expect(state == before)
    }

    /// A state of a link on its way up, and why it is not usable yet.
    struct Intermediate: CustomTestStringConvertible {
        let flags: LinkFlags
        let operationalState: OperationalState
        let reason: PathReason

        var testDescription: String { "\(flags.rawValue), \(operationalState)" }

        static let all = [
            Intermediate(flags: .up, operationalState: .down, reason: .noCarrier),
            Intermediate(flags: [.up, .lowerUp], operationalState: .down, reason: .noCarrier),
            Intermediate(flags: [.up, .running], operationalState: .unknown, reason: .noCarrier),
            Intermediate(flags: [.up, .lowerUp, .dormant], operationalState: .dormant, reason: .dormant),
            Intermediate(flags: [.up, .lowerUp, .running], operationalState: .lowerLayerDown, reason: .noCarrier),
        ]
    }

    @Test("C6 (injected) a link that comes up is usable with the last of its messages", arguments: Intermediate.all)
    func c6Intermediate(_ step: Intermediate) throws {
        var world = World()
        world.add(.uplink(2, "w0"), "192.0.2.2/24")
        world.setDefault(.ipv4, via: "192.0.2.1", dev: 2)
        #expect(try world.path().status == .ethernet)
        world.change(2) {
            $0.flags = step.flags
            $0.operationalState = step.operationalState
        }
        #expect(try world.path().reason == step.reason)
    }

    @Test("C6 a link that is set up gives one transition, whatever comes between")
    func c6Up() async throws {
        let host = try await Host.online()
        try host.far.ip("link set p0 down")
        await host.wait(for: .none)
        host.log.clear()
        try host.far.ip("link set p0 up")
        await host.wait(for: .ethernet)
        #expect(host.log.transitions.count == 1)
    }

    @Test("C7 two hundred containers that come and go (a thousand in make bench) are no news of the path")
    func c7Containers() async throws {
        let (waves, count) = (2, 100)
        let host = try await Host.online(families: [.ipv4, .ipv6])
        try host.near.ip(
            """
            link add docker0 type bridge
            address add 172.17.0.1/16 dev docker0
            link set docker0 up
            """)
        await host.settle()
        host.log.clear()
        let started = (1...count).map {
            """
            link add veth\($0) group 7 type veth peer name eth\($0) netns \(host.far.path)
            link set veth\($0) master docker0
            link set veth\($0) up
            """
        }
        // One by one each deletion would wait for all processors.
        let wave = (started + ["link delete group 7"]).joined(separator: "\n")
        for _ in 1...waves { try host.near.ip(wave) }
        await host.settle()
        #expect(host.log.updates.isEmpty, "\(host.log.updates.map(\.cause))")
        #expect(host.monitor.statistics.messages.total > UInt64(waves * count) * 10)
    }

    @Test("C8 after twenty flaps the last state stands")
    func c8Flaps() async throws {
        let host = try await Host.online()
        let before = host.monitor.statistics.messages.link
        let flaps = (1...20).map { _ in "link set w0 down\nlink set w0 up" }
        try host.near.ip(flaps.joined(separator: "\n"))
        try host.setDefault(.ipv4, to: 0)
        await host.settle()
        await host.wait(for: .ethernet)
        #expect(host.monitor.statistics.messages.link - before >= 40)
        #expect(host.monitor.statistics.overruns == 0)
    }

    @Test("C9 an altname longer than an interface name is shown, and changes no path")
    func c9AltName() async throws {
        let host = try await Host.online()
        let name = "a-name-of-more-than-fifteen-bytes"
        try host.near.ip("link property add dev w0 altname \(name)")
        await host.wait { $0.interface("w0")?.alternativeNames == [name] }
        #expect(host.log.transitions.isEmpty)
    }

    @Test("D6 eight monitors in one process each see what there is to see")
    func d6EightMonitors() async throws {
        let host = try await Host.online(uplinks: 2)
        var monitors: [PathMonitor] = []
        for _ in 1...8 {
            let monitor = PathMonitor(loop: host.loop)
            #expect(try await monitor.start().interfacesInUse == ["w0"])
            monitors.append(monitor)
        }
        try host.near.ip("route replace default via 192.0.1.1 dev w1")
        for monitor in monitors {
            await host.eventually("each has moved") { monitor.currentPath.interfacesInUse == ["w1"] }
        }
    }

    @Test("D9 a link numbered 70,000 is a link like any other")
    func d9LargeIndex() async throws {
        let host = try Host()
        try host.addUplink(0, index: 70_000)
        try host.setDefault(.ipv4, to: 0)
        try await host.start()
        #expect(host.path.ipv4.interfaceIndex == 70_000)
        #expect(host.path.status == .ethernet)
    }

    @Test("C11 a link of the same index in another namespace is another link")
    func c11OtherNamespace() async throws {
        let host = try await Host.online()
        let index = try #require(host.path.ipv4.interfaceIndex)
        let other = try TestNamespace()
        try other.ip(
            """
            link add w0 index \(index) type bridge
            link set w0 up
            link set w0 down
            link delete w0
            """)
        await host.settle()
        #expect(host.log.updates.isEmpty)
        #expect(host.path.status == .ethernet)
    }
}
