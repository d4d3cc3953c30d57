public import NetworkAddress

/// The addresses that stand for "the Internet" when the kernel is asked how packets leave. Nothing is ever sent to them.
///
/// There is one in each half of each family's routed space, because VPNs cover the default route by halves
/// (`0.0.0.0/1` and `128.0.0.0/1`; `2000::/4` is what is in use of IPv6, its halves begin at `2000::` and `2800::`).
/// They are not the well-known resolvers, to which people set host routes.
public enum ReferenceDestination {
    public static let ipv4: [IPAddress] = [
        .v4(IPv4Address(rawValue: 0x1100_0001)),  // 17.0.0.1
        .v4(IPv4Address(rawValue: 0xC8A0_0001)),  // 200.160.0.1
    ]
    public static let ipv6: [IPAddress] = [
        .v6(IPv6Address(rawValue: 0x2607_F8B0 << 96 | 1)),  // 2607:f8b0::1
        .v6(IPv6Address(rawValue: 0x2A00_1450 << 96 | 1)),  // 2a00:1450::1
    ]
    public static let all = ipv4 + ipv6

    /// The same address in the block of eight bits beside its own. A default route leads to both, and so does any piece
    /// of it of up to seven bits. No longer one does that leads to either.
    static func beside(_ destination: IPAddress) -> IPAddress {
        switch destination {
        case .v4(let address): .v4(IPv4Address(rawValue: address.rawValue ^ (1 << 24)))
        case .v6(let address): .v6(IPv6Address(rawValue: address.rawValue ^ (1 << 120)))
        }
    }
}
