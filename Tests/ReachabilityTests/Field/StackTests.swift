import EventLoop
import Netlink
import NetworkAddress
import Reachability
import TestSupport
import Testing

/// Links upon links: the medium is that of the one underneath, and `via` tells the chain.
///
/// The values of kinds that this machine's kernel lacks are those of a real one; the virtual machine has the real thing.
@Suite("Stacks (injected)")
struct StackTests {
    /// A host with Ethernet (2) and Wi-Fi (3), each with an address, and the default route by Wi-Fi.
    private func laptop() -> World {
        var world = World()
        world.add(.uplink(2, "eth0"), "192.0.2.2/24")
        world.add(.uplink(3, "wlan0"), "198.51.100.2/24")
        world.surroundings.facts[3] = LinkFacts(isWireless: true)
        world.setDefault(.ipv4, via: "198.51.100.1", dev: 3)
        return world
    }

    private func upper(_ kind: String, on lower: UInt32) -> LinkMessage {
        var link = LinkMessage.uplink(10, "upper0", kind: kind)
        link.lowerIndex = lower
        return link
    }

    @Test(
        "VLAN, macvlan and ipvlan have the medium of what they sit on", arguments: ["vlan", "macvlan", "ipvlan"],
        [2, 3] as [UInt32])
    func upper(_ kind: String, _ lower: UInt32) throws {
        var world = laptop()
        world.routes = []
        world.add(upper(kind, on: lower), "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        let path = try world.path()
        #expect(path.status == (lower == 2 ? .ethernet : .wifi))
        #expect(path.ipv4.via == ["upper0", lower == 2 ? "eth0" : "wlan0"])
    }

    @Test("A10 a VLAN is dead as soon as the driver underneath says so, though the kernel has not told")
    func carrierUnderneath() throws {
        var world = laptop()
        world.routes = []
        world.add(upper("vlan", on: 2), "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        world.surroundings.carriers[2] = false
        #expect(try world.path().reason == .noCarrier)
    }

    @Test("C2 an IFLA_LINK that counts in another namespace is not followed")
    func foreignLower() throws {
        var world = laptop()
        world.routes = []
        var link = upper("macvlan", on: 3)
        link.lowerNamespaceID = 0
        world.add(link, "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        #expect(try world.path().ipv4.via == ["upper0"])
    }

    @Test("an active-backup bond counts as its active slave", arguments: [2, 3] as [UInt32])
    func bond(_ active: UInt32) throws {
        var world = laptop()
        world.routes = []
        var bond = LinkMessage.uplink(10, "bond0", kind: "bond")
        bond.details = .bond(mode: 1, activeSlave: active)
        for index in [2, 3] as [UInt32] { world.change(index) { $0.controllerIndex = 10 } }
        world.add(bond, "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        let path = try world.path()
        #expect(path.status == (active == 2 ? .ethernet : .wifi))
        #expect(path.ipv4.via == ["bond0", active == 2 ? "eth0" : "wlan0"])
    }

    @Test("a bridge counts as its hardware port, not as its containers")
    func bridge() throws {
        var world = laptop()
        world.routes = []
        for index in [4, 5] as [UInt32] {
            var port = LinkMessage.uplink(index, "veth\(index)", kind: "veth")
            port.controllerIndex = 10
            world.links.insert(port, at: 0)
        }
        world.change(2) { $0.controllerIndex = 10 }
        world.add(.uplink(10, "br0", kind: "bridge"), "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        let path = try world.path()
        #expect(path.status == .ethernet)
        #expect(path.ipv4.via == ["br0", "eth0"])
        #expect(!path.interfaces.contains { $0.kind == "veth" })
    }

    @Test(
        "a fail-over inside a bond is an update, and a transition only where the medium is another",
        arguments: [(4, false), (3, true)] as [(UInt32, Bool)])
    func bondFailover(_ next: UInt32, isTransition: Bool) throws {
        var world = laptop()
        world.routes = []
        world.add(.uplink(4, "eth1"))
        var bond = LinkMessage.uplink(10, "bond0", kind: "bond")
        bond.details = .bond(mode: 1, activeSlave: 2)
        for index in [2, 3, 4] as [UInt32] { world.change(index) { $0.controllerIndex = 10 } }
        world.add(bond, "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        var reducer = PathReducer(world.question)
        _ = reducer.conclude(try world.path(), at: .now)
        world.change(10) { $0.details = .bond(mode: 1, activeSlave: next) }
        let update = try #require(reducer.conclude(try world.path(), at: .now))
        #expect(update.previous.ipv4.via == ["bond0", "eth0"])
        #expect(update.path.ipv4.via == ["bond0", next == 4 ? "eth1" : "wlan0"])
        #expect(update.isTransition == isTransition)
    }

    @Test("WireGuard is followed to the peer that the packets are for, where the kernel tells the peers")
    func wireguardPeers() throws {
        var world = laptop()
        world.add(.uplink(10, "wg0", kind: "wireguard", type: 65534), "10.0.0.2/32")
        world.routes = []
        world.addRoute(.all(of: .ipv4), via: nil, dev: 10)
        let addresses = ["203.0.113.7", "203.0.113.8"]
        for (address, index) in zip(addresses, [2, 3] as [UInt32]) {
            world.addRoute(try #require(IPPrefix("\(address)/32")), via: "192.0.2.1", dev: index)
        }
        var device = WireGuardDevice()
        device.peers = addresses.map { address in
            var peer = WireGuardPeer()
            peer.endpoint = IPAddress(address)
            return peer
        }
        device.peers[0].prefixes = [IPPrefix("10.0.0.0/8")].compactMap(\.self)
        device.peers[1].prefixes = [IPPrefix("0.0.0.0/0")].compactMap(\.self)
        world.surroundings.wireGuards = [10: device]
        #expect(try world.path().ipv4.via == ["wg0", "wlan0"])
        device.peers[0].prefixes.append(try #require(IPPrefix("16.0.0.0/4")))
        world.surroundings.wireGuards = [10: device]
        #expect(try world.path().ipv4.via == ["wg0", "eth0"], "the longer prefix is the first peer's")
        world.change(2) { $0.flags = .up }
        world.change(3) { $0.flags = .up }
        #expect(try world.path().reason == .tunnelWithoutPath)
    }

    @Test("B7 WireGuard is what its own, marked packets leave by")
    func wireguard() throws {
        var world = laptop()
        world.add(.uplink(10, "wg0", kind: "wireguard", type: 65534), "10.0.0.2/32")
        var rule = RuleMessage(family: .ipv4, priority: 32765, table: 51820, action: 1)
        rule.mark = 0xCA6C
        rule.isInverted = true
        world.rules = [rule]
        world.routes = []
        world.addRoute(.all(of: .ipv4), via: nil, dev: 10)
        world.addRoute(.all(of: .ipv4), via: "198.51.100.1", dev: 3, mark: 0xCA6C)
        var path = try world.path()
        #expect(path.status == .wifi)
        #expect(path.ipv4.via == ["wg0", "wlan0"])

        world.change(3) { $0.flags = .up }
        path = try world.path()
        #expect(path.status == .none)
        #expect(path.reason == .tunnelWithoutPath)
        #expect(path.ipv4.interface == "wg0", "the kernel's answer is still shown")
    }

    @Test(
        "a tunnel that names its remote end is what the route to that leaves by",
        arguments: ["gre", "vxlan", "ipip", "sit"])
    func remote(_ kind: String) throws {
        var world = laptop()
        var tunnel = LinkMessage.uplink(10, "tunnel0", kind: kind)
        tunnel.details = .tunnel(local: nil, remote: IPAddress("203.0.113.99"), link: nil, mark: nil)
        world.add(tunnel, "10.0.0.2/24")
        world.routes = []
        world.addRoute(.all(of: .ipv4), via: nil, dev: 10)
        #expect(try world.path().reason == .tunnelWithoutPath, "its own packets would go into itself")
        let prefix = try #require(IPPrefix("203.0.113.99/32"))
        world.addRoute(prefix, via: "192.0.2.1", dev: 2)
        #expect(try world.path().status == .ethernet)
        #expect(try world.path().ipv4.via == ["tunnel0", "eth0"])
    }

    @Test("a tunnel's own packets are asked about with its local end, by which a rule may send them")
    func localEnd() throws {
        var world = laptop()
        var tunnel = LinkMessage.uplink(10, "gre1", kind: "gre")
        let (local, remote) = (IPAddress("192.0.2.2"), IPAddress("203.0.113.99"))
        tunnel.details = .tunnel(local: local, remote: remote, link: nil, mark: nil)
        world.add(tunnel, "10.0.0.2/24")
        world.routes = [
            World.Route(destination: .all(of: .ipv4), index: 10),
            World.Route(destination: .all(of: .ipv4), index: 2, gateway: IPAddress("192.0.2.1"), source: local),
        ]
        #expect(try world.path().ipv4.via == ["gre1", "eth0"])
        world.change(10) { $0.details = .tunnel(local: remote, remote: remote, link: nil, mark: nil) }
        #expect(try world.path().reason == .tunnelWithoutPath, "the kernel takes no source that is not its own")
        world.change(10) { $0.details = .tunnel(local: local, remote: IPAddress("239.1.1.1"), link: 3, mark: nil) }
        #expect(try world.path().ipv4.via == ["gre1", "wlan0"], "to a group they leave by the device named")
    }

    @Test(
        "a tunnel whose local end no link has any more leads nowhere, though its far end could be reached",
        arguments: [
            ("192.0.2.2", "192.0.2.77", "203.0.113.99"), ("2001:db8::2", "2001:db8::77", "2001:db8:1::99"),
        ])
    func lostLocalEnd(_ local: String, _ former: String, _ remote: String) throws {
        var world = laptop()
        let own = try #require(IPAddress("2001:db8::2"))
        world.addresses.append(AddressMessage(index: 2, address: own, prefixLength: 64))
        world.add(.uplink(10, "tunnel0", kind: "gre"), "10.0.0.2/24")
        world.routes = []
        world.addRoute(.all(of: .ipv4), via: nil, dev: 10)
        let far = try #require(IPAddress(remote))
        world.addRoute(try #require(IPPrefix("\(far)/\(far.family.bitWidth)")), via: nil, dev: 2)
        world.change(10) { $0.details = .tunnel(local: IPAddress(local), remote: far, link: nil, mark: nil) }
        #expect(try world.path().ipv4.via == ["tunnel0", "eth0"])
        world.change(10) { $0.details = .tunnel(local: IPAddress(former), remote: far, link: nil, mark: nil) }
        #expect(try world.path().ipv4.reason == .tunnelWithoutPath)
    }

    /// A laptop whose default route is by WireGuard (10), which sends its own packets over another tunnel (9).
    private func tunnelOverTunnel(_ lower: LinkMessage) throws -> World {
        var world = laptop()
        world.routes = []
        world.add(lower, "203.0.113.2/32")
        world.add(.uplink(10, "wg0", kind: "wireguard", type: 65534), "10.0.0.2/32")
        world.setDefault(.ipv4, via: nil, dev: 10)
        world.addRoute(try #require(IPPrefix("203.0.113.7/32")), via: nil, dev: 9)
        world.surroundings.wireGuards = [10: try device(endpoint: "203.0.113.7")]
        return world
    }

    /// A WireGuard device with one peer, for all packets.
    private func device(endpoint: String) throws -> WireGuardDevice {
        var peer = WireGuardPeer()
        peer.endpoint = IPAddress(endpoint)
        peer.prefixes = [try #require(IPPrefix("0.0.0.0/0"))]
        var device = WireGuardDevice()
        device.peers = [peer]
        return device
    }

    @Test("a tunnel over a line whose cable is out leads nowhere, though the line has not told")
    func tunnelOverLine() throws {
        var world = try tunnelOverTunnel(.uplink(9, "ppp0", kind: "ppp", type: 512))
        world.surroundings.facts[9] = LinkFacts(lowerName: "eth0")
        #expect(try world.path().ipv4.via == ["wg0", "ppp0", "eth0"])
        #expect(try world.path().status == .ethernet)
        world.change(2) { $0.flags = .up }
        #expect(try world.path().status == .none)
        #expect(try world.path().reason == .tunnelWithoutPath)
        world.change(2) { $0.flags = [.up, .lowerUp, .running] }
        var vlan = LinkMessage.uplink(11, "eth0.7", kind: "vlan")
        vlan.lowerIndex = 2
        world.add(vlan)
        world.surroundings.facts[9] = LinkFacts(lowerName: "eth0.7")
        #expect(try world.path().ipv4.via == ["wg0", "ppp0", "eth0.7", "eth0"])
        world.surroundings.carriers[2] = false
        #expect(try world.path().reason == .noCarrier, "by the driver's word")
    }

    @Test("what lies under a tunnel carries what leaves by it, though nothing leaves by that itself")
    func carryingUnderneath() throws {
        var world = try tunnelOverTunnel(.uplink(9, "ppp0", kind: "ppp", type: 512))
        world.surroundings.facts[9] = LinkFacts(lowerName: "eth0")
        let derived = try world.derived()
        #expect(derived.path.interface("eth0")?.isUsable == false)
        #expect(derived.carrying == [10, 9, 2])
    }

    @Test("a tunnel in a tunnel leads nowhere where that one does not, and neither does a VLAN on it or a VRF")
    func tunnelInTunnel() throws {
        var world = try tunnelOverTunnel(.uplink(9, "wg1", kind: "wireguard", type: 65534))
        world.addRoute(try #require(IPPrefix("198.51.100.7/32")), via: "192.0.2.1", dev: 2)
        world.surroundings.wireGuards?[9] = try device(endpoint: "198.51.100.7")
        #expect(try world.path().ipv4.via == ["wg0", "wg1", "eth0"])
        world.change(2) { $0.flags = .up }
        #expect(try world.path().reason == .tunnelWithoutPath)
        var vlan = LinkMessage.uplink(11, "vlan0", kind: "vlan")
        vlan.lowerIndex = 9
        world.add(vlan, "192.0.2.130/25")
        world.routes.removeAll { $0.destination.length == 0 }
        world.setDefault(.ipv4, via: nil, dev: 11)
        #expect(try world.path().reason == .tunnelWithoutPath)
        world.change(2) { $0.flags = [.up, .lowerUp, .running] }
        #expect(try world.path().ipv4.via == ["vlan0", "wg1", "eth0"])
        var vrf = LinkMessage.uplink(12, "blue", kind: "vrf")
        vrf.details = .vrf(table: 10)
        world.add(vrf, "203.0.113.130/32")
        world.change(9) { $0.controllerIndex = 12 }
        world.routes.removeAll { $0.destination.length == 0 }
        world.setDefault(.ipv4, via: nil, dev: 12)
        #expect(try world.path().ipv4.via == ["blue", "wg1", "eth0"])
        world.change(2) { $0.flags = .up }
        #expect(try world.path().reason == .tunnelWithoutPath)
    }

    @Test("a VPN in user space is what the best uplink beside it is")
    func userSpace() throws {
        var world = laptop()
        world.add(.uplink(10, "tun0", kind: "tun", type: 65534), "10.8.0.2/24")
        for half in ["0.0.0.0/1", "128.0.0.0/1"] {
            world.addRoute(try #require(IPPrefix(half)), via: "10.8.0.1", dev: 10)
        }
        var path = try world.path()
        #expect(path.status == .wifi)
        #expect(path.ipv4.via == ["tun0", "wlan0"])

        for index in [2, 3] as [UInt32] { world.change(index) { $0.flags = .up } }
        path = try world.path()
        #expect(path.reason == .tunnelWithoutPath)
    }

    @Test("a tunnel alone in its namespace has its other half outside, and works")
    func tunnelInContainer() throws {
        var world = World()
        world.add(.uplink(10, "wg0", kind: "wireguard", type: 65534), "10.0.0.2/32")
        world.setDefault(.ipv4, via: nil, dev: 10)
        #expect(try world.path().status == .other)
    }

    @Test("a default route to a VRF leads out by the VRF's port, and is as well as that")
    func vrf() throws {
        var world = laptop()
        var vrf = LinkMessage.uplink(10, "blue", kind: "vrf")
        vrf.details = .vrf(table: 10)
        world.add(vrf, "203.0.113.2/32")
        world.change(2) { $0.controllerIndex = 10 }
        world.routes = []
        world.setDefault(.ipv4, via: nil, dev: 10)
        let path = try world.path()
        #expect(path.status == .ethernet)
        #expect(path.ipv4.via == ["blue", "eth0"])
        world.change(2) { $0.flags = .up }
        #expect(try world.path().status == .none)
        #expect(try world.path().reason == .noCarrier)
        world.change(2) { $0.controllerIndex = nil }
        #expect(try world.path().reason == .noRoute, "without a port it leads nowhere")
    }

    @Test(
        "a bridge is cut off without its cable, whatever virtual machine is on it", arguments: ["tun", "veth", "dummy"])
    func cutOffBridge(_ kind: String) throws {
        var world = laptop()
        world.routes = []
        var port = LinkMessage.uplink(4, "vm0", kind: kind)
        port.controllerIndex = 10
        port.lowerNamespaceID = kind == "veth" ? 0 : nil
        world.add(port)
        world.change(2) { $0.controllerIndex = 10 }
        world.add(.uplink(10, "br0", kind: "bridge"), "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        #expect(try world.path().status == .ethernet)
        world.surroundings.carriers[2] = false
        #expect(try world.path().reason == .noCarrier, "by the driver's word")
        world.surroundings.carriers = [:]
        try expectCutOffWithoutCable(&world)
    }

    /// A bridge that `eth0` leads out of.
    private func expectCutOffWithoutCable(_ world: inout World) throws {
        world.change(2) { $0.flags = .up }
        let path = try world.path()
        #expect(path.status == .none)
        #expect(path.reason == .noCarrier)
        #expect(path.ipv4.via == ["br0", "eth0"])
    }

    @Test("a bridge of nothing but virtual machines leads to the one that is the router")
    func virtualRouter() throws {
        var world = World()
        var port = LinkMessage.uplink(4, "vm0", kind: "tun")
        port.controllerIndex = 10
        world.add(port)
        world.add(.uplink(10, "br0", kind: "bridge"), "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        #expect(try world.path().status == .other)
        world.change(4) { $0.flags = .up }
        #expect(try world.path().reason == .noCarrier)
    }

    /// A bridge (10) with the default route, whose one port is the Wi-Fi of a laptop as an access point.
    private func accessPoint() -> World {
        var world = laptop()
        world.routes = []
        world.surroundings.wireless[3] = WirelessInterface(index: 3, name: "wlan0", type: .accessPoint)
        world.change(3) { $0.controllerIndex = 10 }
        world.add(.uplink(10, "br0", kind: "bridge"), "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        return world
    }

    /// A VLAN of `eth0`, on the bridge.
    private static var bridgedVLAN: LinkMessage {
        var vlan = LinkMessage.uplink(4, "eth0.10", kind: "vlan")
        vlan.lowerIndex = 2
        vlan.controllerIndex = 10
        return vlan
    }

    @Test("a bridge leads out by its VLAN, and not by the access point beside it", arguments: [true, false])
    func accessPointBesideVLAN(isOnAir: Bool) throws {
        var world = accessPoint()
        world.add(Self.bridgedVLAN)
        if !isOnAir { world.change(3) { $0.flags = .up } }
        let path = try world.path()
        #expect(path.status == .ethernet)
        #expect(path.ipv4.via == ["br0", "eth0.10", "eth0"])
    }

    @Test("a bridge is cut off without its cable, though its access point is on the air")
    func accessPointBesideCable() throws {
        var world = accessPoint()
        #expect(try world.path().status == .wifi, "the access point is all there is")
        world.change(2) { $0.controllerIndex = 10 }
        #expect(try world.path().status == .ethernet)
        try expectCutOffWithoutCable(&world)
    }

    @Test("of a bridge's ports a live one counts before dead hardware, whatever is known of the radio")
    func liveVLAN() throws {
        var world = accessPoint()
        world.surroundings.wireless = [:]
        world.add(Self.bridgedVLAN)
        #expect(try world.path().ipv4.via == ["br0", "wlan0"])
        world.change(3) { $0.flags = .up }
        #expect(try world.path().ipv4.via == ["br0", "eth0.10", "eth0"])
        #expect(try world.path().status == .ethernet)
    }

    @Test(
        "a bridge of a stopped container and a running virtual machine leads to the machine",
        arguments: [nil, 0] as [Int32?])
    func stoppedContainer(namespace: Int32?) throws {
        var world = World()
        var container = LinkMessage.uplink(4, "veth0", kind: "veth")
        container.controllerIndex = 10
        container.lowerNamespaceID = namespace
        container.flags = .up
        world.add(container)
        var machine = LinkMessage.uplink(5, "tap0", kind: "tun")
        machine.controllerIndex = 10
        world.add(machine)
        world.add(.uplink(10, "br0", kind: "bridge"), "203.0.113.2/24")
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        #expect(try world.path().status == .other)
        world.change(5) { $0.flags = .up }
        #expect(try world.path().reason == .noCarrier)
        world.change(4) { $0.flags = [.up, .lowerUp, .running] }
        #expect(try world.path().ipv4.via == ["br0", "veth0"])
    }

    @Test("a VRF that has a way of its own is a way out where the other tables have none")
    func vrfOfItsOwn() throws {
        var world = laptop()
        var vrf = LinkMessage.uplink(10, "blue", kind: "vrf")
        vrf.details = .vrf(table: 10)
        world.add(vrf, "203.0.113.2/32")
        world.change(2) { $0.controllerIndex = 10 }
        world.routes = []
        world.setDefault(.ipv4, via: "203.0.113.1", dev: 10)
        world.routes[0].isForDevice = true
        let path = try world.path()
        #expect(path.status == .none)
        #expect(path.interface("blue")?.ipv4.isUsable == true)
    }

    @Test("a circle of links ends")
    func circle() throws {
        var world = World()
        world.add(upper("vlan", on: 11), "192.0.2.2/24")
        var other = LinkMessage.uplink(11, "upper1", kind: "macvlan")
        other.lowerIndex = 10
        world.add(other)
        world.setDefault(.ipv4, via: "192.0.2.1", dev: 10)
        #expect(try world.path().ipv4.via == ["upper0", "upper1"])
    }
}

/// The same with the kinds that every kernel has.
@Suite("Stacks", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct RealStackTests {
    @Test("a bridge over the uplink carries its path, and its ports are no interfaces of their own")
    func bridge() async throws {
        let host = try await Host.online()
        try host.near.ip(
            """
            link add br0 type bridge
            link set br0 up
            address flush dev w0
            link set w0 master br0
            address add 192.0.0.2/24 dev br0
            """)
        await host.settle()
        try host.near.ip("route replace default via 192.0.0.1 dev br0")
        await host.wait(for: .ethernet, by: ["br0"])
        #expect(host.path.ipv4.via == ["br0", "w0"])
        try host.far.ip("link set p0 down")
        await host.wait(for: .none)
    }

    @Test("a bridge whose cable is out is no way out though another port lives")
    func cutOffBridge() async throws {
        let host = try await Host.online()
        try host.near.ip(
            """
            link add br0 type bridge
            link set br0 up
            address flush dev w0
            link set w0 master br0
            address add 192.0.0.2/24 dev br0
            link add vm0 type veth peer name vm1
            link set vm0 master br0
            link set vm0 up
            link set vm1 up
            """)
        await host.settle()
        try host.near.ip("route replace default via 192.0.0.1 dev br0")
        await host.wait(for: .ethernet, by: ["br0"])
        #expect(host.path.ipv4.via == ["br0", "w0"])
        try host.far.ip("link set p0 down")
        await host.wait(for: .none)
        #expect(host.path.reason == .noCarrier)
        #expect(host.path.ipv4.kernel?.contains("dev br0") == true, "the kernel routes into it all the same")
        try host.far.ip("link set p0 up")
        await host.wait(for: .ethernet, by: ["br0"])
    }

    @Test("a bridge that never had a port is no way out, though it has carrier")
    func emptyBridge() async throws {
        let host = try await Host.online()
        try host.near.ip(
            """
            link add br0 type bridge
            link set br0 up
            address add 203.0.113.2/24 dev br0
            route replace default via 203.0.113.1 dev br0
            """)
        await host.wait(for: .none)
        #expect(host.path.reason == .noCarrier)
        #expect(host.path.ipv4.interface == "br0")
    }

    @Test("a macvlan carries the path over its lower link")
    func macvlan() async throws {
        let host = try await Host.online()
        try host.near.ip(
            """
            address flush dev w0
            link add m0 link w0 type macvlan mode bridge
            address add 192.0.0.3/24 dev m0
            link set m0 up
            """)
        await host.settle()
        try host.near.ip("route replace default via 192.0.0.1 dev m0")
        await host.wait(for: .ethernet, by: ["m0"])
        #expect(host.path.ipv4.via == ["m0", "w0"])
        try host.far.ip("link set p0 down")
        await host.wait(for: .none)
        #expect(host.path.reason == .noCarrier)
    }
}
