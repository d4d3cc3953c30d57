import NetworkAddress
import TestSupport

extension IPAddress {
    /// A global unicast address.
    static func random(_ family: AddressFamily, using generator: inout SeededGenerator) -> IPAddress {
        switch family {
        case .ipv4: .v4(IPv4Address(rawValue: UInt32.random(in: 0x0100_0000...0x7EFF_FFFF, using: &generator)))
        case .ipv6: .v6(IPv6Address(rawValue: .random(in: 0...UInt128.max >> 3, using: &generator) | UInt128(1) << 125))
        }
    }

    /// The same address with one bit of it turned.
    func flipping(bit: Int) -> IPAddress {
        switch self {
        case .v4(let address): .v4(IPv4Address(rawValue: address.rawValue ^ (1 << (31 - bit))))
        case .v6(let address): .v6(IPv6Address(rawValue: address.rawValue ^ (1 << (127 - bit))))
        }
    }
}

extension IPPrefix {
    /// A block that holds the address, or misses it by one bit, or lies anywhere.
    static func random(
        near address: IPAddress?, _ family: AddressFamily, using generator: inout SeededGenerator
    ) -> IPPrefix {
        let length = Int.random(in: 0...family.bitWidth, using: &generator)
        guard let address, Int.random(in: 0..<10, using: &generator) > 0 else {
            return block(of: .random(family, using: &generator), length: length)
        }
        guard length > 3, Bool.random(using: &generator) else { return block(of: address, length: length) }
        // Not the first three bits: the block shall stay in the unicast space.
        let bit = Bool.random(using: &generator) ? length - 1 : Int.random(in: 3..<length, using: &generator)
        return block(of: address.flipping(bit: bit), length: length)
    }

    private static func block(of address: IPAddress, length: Int) -> IPPrefix {
        IPPrefix(address, length: length) ?? .all(of: address.family)
    }
}
