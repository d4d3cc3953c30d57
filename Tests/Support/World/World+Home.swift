internal import EventLoop
package import Evidence
package import NetworkAddress

/// A host at home: one uplink, a router, a name server, targets beyond, and the built-in references.
extension World {
    package enum Names: Sendable {
        /// On the link, and able to answer whatever becomes of the uplink.
        case onLink
        /// Beyond the gateway.
        case behind
        /// The router itself, which asks another by the uplink.
        case router
    }

    package static let uplink = 0
    package static let link = 1

    package mutating func home(
        targets count: Int = 5, names: Names = .behind, witnesses: Bool = true, ipv6 hasVersion6: Bool = false,
        interval: Double = 5, interface: String = "eth0"
    ) {
        let ipv6 = hasVersion6 || hasBothFamilies
        addLines(interface: interface, ipv6: ipv6)
        for number in 0..<count { addTarget(number, of: count, ipv6: ipv6, interval: interval) }
        addNameServer(names)
        if witnesses { addReferences(.witness, ipv6: ipv6) }
    }

    private mutating func addLines(interface: String, ipv6: Bool) {
        lines = [
            Line(Way(interface: interface, gateway: Self.address(192, 168, 1, 1)), reachesAll: true),
            Line(
                Way(interface: interface),
                prefixes: [IPPrefix(Self.address(192, 168, 1, 0), length: 24)].compactMap(\.self)),
        ]
        guard ipv6 else { return }
        lines.append(Line(Way(interface: interface, gateway: Self.address6(1, 1), family: .ipv6), reachesAll: true))
    }

    /// What becomes of the uplink becomes of version 6 as of version 4.
    mutating func alignFamilies() {
        guard let other = lines.firstIndex(where: { $0.reachesAll && $0.way.family == .ipv6 }) else { return }
        lines[other] = Line(lines[other], likeIn: lines[Self.uplink])
    }

    /// Every third target speaks TLS.
    private mutating func addTarget(_ number: Int, of count: Int, ipv6: Bool, interval: Double) {
        let name = "target\(number)"
        let address = Self.address(203, 0, UInt8(113 + number / 200), UInt8(1 + number % 200))
        let transport: Watched.Transport = number % 3 == 2 ? .secure : .plainHTTP
        let latency = Double.random(in: 0.008..<0.08, using: &random)
        servers[address] = Server(transport: transport, latency: latency)
        var all = [address]
        if ipv6 {
            let other = Self.address6(113, UInt16(number + 1))
            servers[other] = Server(transport: transport, latency: latency)
            all.append(other)
        }
        addresses[name] = all
        var target = Watched(name: name, interval: .seconds(interval))
        target.transport = transport
        watched.append(target)
    }

    package mutating func addNameServer(_ names: Names) {
        let address =
            names == .behind ? Self.address(198, 18, 0, 53) : Self.address(192, 168, 1, names == .router ? 1 : 53)
        nameServerOrder.append(address)
        nameServers[address] = NameServer(
            latency: names == .behind ? Double.random(in: 0.01..<0.04, using: &random) : 0.002,
            forwardsBy: names == .router ? Self.uplink : nil)
    }

    /// Five references of five operators, two of them over TLS.
    package mutating func addReferences(_ role: Watched.Role, ipv6: Bool = false, interval: Double = 60) {
        for number in 0..<5 {
            let address = Self.address(198, 51, 100, UInt8(1 + number))
            let transport: Watched.Transport = number < 3 ? .plainHTTP : .secure
            let latency = Double.random(in: 0.008..<0.03, using: &random)
            servers[address] = Server(transport: transport, latency: latency)
            var all = [address]
            if ipv6 {
                let other = Self.address6(100, UInt16(1 + number))
                servers[other] = Server(transport: transport, latency: latency)
                all.append(other)
            }
            addresses["reference\(number)"] = all
            var reference = Watched(
                role: role, name: "reference\(number)", addresses: all, interval: .seconds(interval))
            reference.transport = transport
            reference.hasKnownAnswer = true
            watched.append(reference)
        }
    }

    /// Watches the built-in references alone, as a host without a configuration does.
    package mutating func homeOfReferences(names: Names = .behind, ipv6: Bool = false) {
        home(targets: 0, names: names, ipv6: ipv6)
        watched = []
        addReferences(.reference, ipv6: ipv6)
    }

    /// No built-in reference answers: a network without the Internet.
    package mutating func closeOff() {
        isClosedOff = true
        for watched in watched where watched.role == .witness {
            for address in watched.addresses { servers[address]?.mood = .silent }
        }
    }

    /// The targets are known by their addresses.
    package mutating func forgetNames() {
        for index in watched.indices {
            guard let name = watched[index].name, let known = addresses[name] else { continue }
            (watched[index].name, watched[index].addresses) = (nil, known)
        }
    }

    /// The targets are asked so seldom.
    package mutating func ask(each seconds: Double) {
        for index in watched.indices where watched[index].role == .target {
            watched[index].interval = .seconds(seconds)
        }
    }

    /// So many seconds are waited for an answer of a target.
    package mutating func wait(seconds: Double) {
        for index in watched.indices where watched[index].role == .target {
            watched[index].timeout = .seconds(seconds)
        }
    }

    /// What is sent by the uplink costs.
    package mutating func meter() {
        for index in lines.indices where lines[index].reachesAll { lines[index].isMetered = true }
    }

    /// The first of the name servers says nothing.
    package mutating func addDeadNameServer() {
        let address = Self.address(198, 18, 0, 99)
        nameServerOrder.insert(address, at: 0)
        nameServers[address] = NameServer(latency: 0.01, mood: .silent)
    }

    /// A route to elsewhere comes and goes, each few seconds.
    package mutating func flapRoute() {
        let prefixes = [IPPrefix(Self.address(10, 77, 0, 0), length: 16)].compactMap(\.self)
        let line = Line(Way(interface: "eth0", gateway: Self.address(192, 168, 1, 77)), prefixes: prefixes)
        for start in stride(from: 5.0, to: 200, by: 6) {
            at(start + Double.random(in: 0..<3, using: &random)) { world in
                world.lines.append(line)
                world.tellNetwork()
            }
            at(start + 4) { world in
                world.lines.removeAll { $0.way == line.way }
                world.tellNetwork()
            }
        }
    }

    static let box = address(192, 168, 1, 200)

    /// A box on the host's own link, known by its address.
    @discardableResult
    package mutating func addBox(interval: Double = 5) -> Int {
        let address = Self.box
        servers[address] = Server(transport: .plainHTTP, latency: 0.001)
        watched.append(Watched(addresses: [address], interval: .seconds(interval)))
        return watched.count - 1
    }

    /// A tunnel over the uplink: to one prefix, or to everything.
    package mutating func addTunnel(isFull: Bool, targets: Range<Int>) {
        let prefix = IPPrefix(Self.address(10, 8, 0, 0), length: 16)
        var tunnel = Line(Way(interface: "wg0"), reachesAll: isFull, prefixes: [prefix].compactMap(\.self))
        tunnel.below = Self.uplink
        lines.insert(tunnel, at: lines.count)
        if isFull {
            // What is not bound leaves by the tunnel.
            lines.swapAt(Self.uplink, lines.count - 1)
            lines[Self.uplink].below = lines.count - 1
        }
        for target in targets {
            let address = Self.address(10, 8, 0, UInt8(1 + target))
            let name = "target\(target)"
            guard let old = addresses[name]?.first, !isFull else { continue }
            servers[address] = servers[old]
            addresses[name] = [address]
        }
    }

    /// The line of a tunnel, wherever it is.
    package var tunnel: Int { lines.firstIndex { $0.way.interface == "wg0" } ?? 0 }
    package var physical: Int { lines.firstIndex { $0.way.interface == "eth0" && $0.reachesAll } ?? 0 }

    /// Changes what the servers of some targets do.
    package mutating func set(_ mood: Server.Mood, for targets: some Sequence<Int>) {
        for target in targets {
            let known = watched[target].name.flatMap { addresses[$0] } ?? watched[target].addresses
            for address in known { servers[address]?.mood = mood }
        }
    }

    package mutating func setNameServers(_ mood: NameServer.Mood) {
        for address in nameServerOrder { nameServers[address]?.mood = mood }
    }

    package static func address(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> IPAddress {
        .v4(IPv4Address(rawValue: UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d)))
    }

    package static func address6(_ net: UInt16, _ host: UInt16) -> IPAddress {
        .v6(IPv6Address(rawValue: 0x2001_0db8 << 96 | UInt128(net) << 64 | UInt128(host)))
    }
}
