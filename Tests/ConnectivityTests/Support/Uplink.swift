import TestSupport

/// A way out of a client's namespace: a veth pair with a network of its own behind it, in another namespace.
///
/// The client has `10.<number>.0.2` and `fd00:<number>::2`, the router behind the link `.1` and `::1`.
struct Uplink {
    let client: TestNamespace
    let router: TestNamespace
    let interface: String
    let number: Int

    init(_ interface: String, number: Int, of client: TestNamespace, ipv6: Bool = false) throws {
        self.client = client
        self.interface = interface
        self.number = number
        router = try TestNamespace()
        try client.run(
            "ip", "link", "add", interface, "type", "veth", "peer", "name", "router", "netns", router.path)
        try router.ip(
            """
            address add 10.\(number).0.1/24 dev router
            address add fd00:\(number)::1/64 dev router nodad
            link set router up
            """)
        try client.ip(
            """
            address add 10.\(number).0.2/24 dev \(interface)
            link set \(interface) up
            """)
        if ipv6 { try client.ip("address add fd00:\(number)::2/64 dev \(interface) nodad") }
    }

    var gateway: String { "10.\(number).0.1" }
    var gateway6: String { "fd00:\(number)::1" }

    /// Has traffic leave by this link.
    func addDefaultRoute(metric: Int = 100) throws {
        try client.ip("route add default via \(gateway) dev \(interface) metric \(metric)")
    }

    func deleteDefaultRoute() throws {
        try client.ip("route del default dev \(interface)")
    }
}
