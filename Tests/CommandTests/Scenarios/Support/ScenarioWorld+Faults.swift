import Glibc
import SystemPackage
import TestSupport

/// What can go wrong between the host and the servers.
extension ScenarioWorld {
    /// No host answers at an address any more, nor says why.
    func silence(_ addresses: String...) throws { try silence(addresses) }

    func silence(_ addresses: [String]) throws {
        try router.ip(addresses.map { rule("add", $0, "blackhole") }.joined(separator: "\n"))
    }

    func unsilence(_ address: String) throws { try router.ip(rule("delete", address, "blackhole")) }

    /// The router says that an address cannot be reached.
    func makeUnreachable(_ address: String) throws { try router.ip(rule("add", address, "unreachable")) }
    func makeReachable(_ address: String) throws { try router.ip(rule("delete", address, "unreachable")) }

    /// The line behind the router dies, and the router goes on.
    func cutUpstream() throws { try upstream("add", "blackhole") }
    func restoreUpstream() throws { try upstream("delete", "blackhole") }

    /// The line behind the router dies, and the router says so.
    func tellUpstream() throws { try upstream("add", "unreachable") }

    private func upstream(_ action: String, _ kind: String) throws {
        try router.ip(
            """
            rule \(action) pref 10 iif far to 10.0.0.0/24 lookup local
            rule \(action) pref 11 iif far \(kind)
            """)
    }

    /// The line behind the router dies for IPv6 alone.
    func cutUpstream6() throws {
        for (number, near) in ["fd00:1::/64", "fe80::/10", "ff00::/8"].enumerated() {
            try router.run(
                "ip", "-6", "rule", "add", "pref", "\(10 + number)", "iif", "far", "to", near, "lookup", "local")
        }
        try router.run("ip", "-6", "rule", "add", "pref", "20", "iif", "far", "blackhole")
    }

    func restoreUpstream6() throws {
        for number in [10, 11, 12, 20] { try router.run("ip", "-6", "rule", "delete", "pref", "\(number)") }
    }

    private func rule(_ action: String, _ address: String, _ kind: String) -> String {
        "rule \(action) pref 5 iif far to \(address) \(kind)"
    }

    /// The other end of the host's link is gone: no carrier.
    func unplug() throws { try router.ip("link set far down") }
    func plug() throws { try router.ip("link set far up") }

    /// The router itself is gone, and the carrier stays: behind a hub.
    func removeRouter() throws { try unplug() }

    /// A second family, with a router and servers of its own.
    func addIPv6() throws {
        try host.ip(
            """
            address add fd00:1::2/64 dev eth0 nodad
            route add default via fd00:1::1 dev eth0
            """)
    }

    /// A second router behind the hub, and 203.0.113.1 … 5 behind that.
    func addGateway() throws -> TestNamespace {
        let second = try TestNamespace()
        guard let middle else { return second }
        try middle.connect("other", to: second, as: "far")
        try middle.ip("link set other master hub\nlink set other up")
        let behind = (1...5).map { "address add 203.0.113.\($0)/32 dev lo" }
        try second.ip(
            (["address add 10.0.0.254/24 dev far", "link set far up"] + behind).joined(separator: "\n"))
        try start(in: second, "beyond.py", folder.path.string)
        try host.ip("route add 203.0.113.0/24 via 10.0.0.254 dev eth0")
        return second
    }

    /// A box on the host's own link, behind the hub: 10.0.0.77.
    func addBox() throws -> TestNamespace {
        let box = try TestNamespace()
        guard let middle else { return box }
        try middle.connect("box", to: box, as: "far")
        try middle.ip("link set box master hub\nlink set box up")
        try box.ip("address add 10.0.0.77/24 dev far\nlink set far up")
        try start(in: box, "beyond.py", folder.path.string)
        return box
    }

    /// Whether tunnels can be made here.
    static var hasTunnels: Bool { access("/dev/net/tun", R_OK | W_OK) == 0 }

    /// A tunnel to 203.0.113.1, behind the router. What is behind it are 198.18.0.1 … 5.
    func addTunnel() throws {
        let (outside, far) = ("203.0.113.1", (1...5).map { "address add 198.18.0.\($0)/32 dev lo" })
        try router.ip("address add \(outside)/32 dev lo\n" + far.joined(separator: "\n"))
        try start(in: router, "tunnel.py", "tunfar", "\(outside):5555", "10.0.0.2:5555")
        try start(in: host, "tunnel.py", "tun0", "10.0.0.2:5555", "\(outside):5555")
        try router.ip("address add 10.8.0.1/24 dev tunfar\nlink set tunfar up")
        try host.ip("address add 10.8.0.2/24 dev tun0\nlink set tun0 up\nroute add \(outside)/32 via 10.0.0.1 dev eth0")
    }

    /// A tunnel beside the uplink, three targets by the uplink and two by the tunnel, or by a gateway within it.
    func watchBesideSplitTunnel(gateway: String? = nil, title: String = #function) throws -> Story {
        try addTunnel()
        try host.ip("route add 198.18.0.0/24 \(gateway.map { "via \($0)" } ?? "") dev tun0")
        let inside = (1...2).map { Target("in\($0)", "http://198.18.0.\($0)/") }
        return try watch(Target.numbers(1...3) + inside, title: title)
    }
}
