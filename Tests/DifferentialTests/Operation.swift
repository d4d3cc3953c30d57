/// One change to the network: a line for `ip -batch`, or a setting under `/proc/sys`.
struct Operation: Hashable, Sendable, CustomStringConvertible {
    enum Place: Hashable, Sendable {
        /// Where the monitors are; `host6` where `ip` has to be told that IPv6 is meant.
        case host
        case host6
        /// The other ends of the host's cables.
        case peer
        /// A setting of the host's: `NAME=VALUE`.
        case setting
    }

    var place: Place
    var text: String

    static func ip(_ text: String) -> Operation { Operation(place: .host, text: text) }
    static func ip6(_ text: String) -> Operation { Operation(place: .host6, text: text) }
    static func peer(_ text: String) -> Operation { Operation(place: .peer, text: text) }
    static func setting(_ name: String, _ value: Int) -> Operation {
        Operation(place: .setting, text: "\(name)=\(value)")
    }

    /// The line of a shell script that does the same.
    var description: String {
        switch place {
        case .host: "ip \(text.replacing("PEER", with: "peer"))"
        case .host6: "ip -6 \(text)"
        case .peer: "ip -n peer \(text)"
        case .setting: "sysctl -qw \(text.replacing(".", with: "/"))"
        }
    }

    /// A script that does the same by hand, in a namespace `host`.
    static func script(_ operations: [Operation]) -> String {
        (["ip netns add host; ip netns add peer; ip netns exec host bash -s <<'END'"]
            + operations.map(\.description) + ["END"])
            .joined(separator: "\n")
    }
}

extension Operation {
    /// The network every episode begins with: three cables (two of them with equal interface indexes at both ends, whose
    /// carrier news the kernel delays), a macvlan, a bridge, a tun device and an ifb.
    static let beginning: [Operation] =
        ["all", "default"].map { .setting("net.ipv6.conf.\($0).accept_dad", 0) } + [
            .ip("link set lo up"),
            .ip("link add name v0 index 10 type veth peer name p0 index 10 netns PEER"),
            .ip("link add name v1 index 11 type veth peer name p1 index 11 netns PEER"),
            .ip("link add name v2 index 12 type veth peer name p2 index 112 netns PEER"),
            .ip("link add m0 link v1 type macvlan mode bridge"),
            .ip("link add b0 type bridge"),
            .ip("tuntap add t0 mode tun"),
            .ip("link add i0 type ifb"),
            .peer("link set p0 up"), .peer("link set p1 up"), .peer("link set p2 up"),
            .ip("link set v0 up"), .ip("link set v1 up"), .ip("link set v2 up"),
            .ip("address add 10.0.0.1/24 dev v0"), .ip("address add 10.1.0.1/24 dev v1"),
            .ip("address add 2001:db8:0::1/64 dev v0 nodad"), .ip("address add 2001:db8:1::1/64 dev v1 nodad"),
            .ip("route add default via 10.0.0.254 dev v0 metric 100"),
            .ip6("route add default via 2001:db8:1::fe dev v1 metric 100"),
        ]
}
