package import NetworkAddress

/// A translator from IPv6 to IPv4 (NAT64), by the prefix of the addresses that lie behind it: a /96, as far as an address
/// alone shows it.
package struct Translator: Hashable, Sendable, Codable {
    package let prefix: IPAddress

    /// 64:ff9b:: (RFC 6052) and 64:ff9b:1:: (RFC 8215), which stand before addresses of IPv4 and nothing else.
    private static let wellKnown: UInt128 = 0x0064_FF9B << 96
    private static let ownUse: UInt128 = 0x0064_FF9B_0001 << 80
    private static let embedded: UInt128 = 0xFFFF_FFFF

    /// The one that an address lies behind; nil where it lies behind none.
    package init?(before address: IPAddress) {
        guard case .v6(let address) = address else { return nil }
        let prefix = address.rawValue & ~Self.embedded
        guard prefix == Self.wellKnown || address.rawValue >> 80 == Self.ownUse >> 80 else { return nil }
        self.prefix = .v6(IPv6Address(rawValue: prefix))
    }

    /// An address of IPv4 as the translator is told it; nil for another.
    package func address(of address: IPAddress) -> IPAddress? {
        guard case .v4(let address) = address, case .v6(let prefix) = prefix else { return nil }
        return .v6(IPv6Address(rawValue: prefix.rawValue | UInt128(address.rawValue)))
    }
}
