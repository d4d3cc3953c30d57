import TestSupport

/// A namespace with one way out: `up0`, a veth whose peer `far0` stands for the network behind it.
struct Uplink {
    let namespace: TestNamespace

    init() throws {
        namespace = try TestNamespace()
        try namespace.ip(
            """
            link add up0 type veth peer name far0
            link set far0 up
            """)
    }

    func connect() throws {
        try namespace.ip(
            """
            address add 192.0.2.2/24 dev up0
            link set up0 up
            route add default via 192.0.2.1 dev up0
            """)
    }
}
