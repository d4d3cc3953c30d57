/// A block of addresses: `192.0.2.0/24`, `2000::/3`, or `0.0.0.0/0`, which every IPv4 address is in.
public struct IPPrefix: Hashable, Sendable {
    /// The first address of the block; all bits beyond ``length`` are zero.
    public let address: IPAddress
    /// How many leading bits all addresses of the block share.
    public let length: Int

    /// A block from any address in it; nil where the length does not fit the family. Bits beyond the length are cut.
    public init?(_ address: IPAddress, length: Int) {
        guard (0...address.family.bitWidth).contains(length) else { return nil }
        self.length = length
        self.address =
            switch address {
            case .v4(let v4): .v4(IPv4Address(rawValue: v4.rawValue & ~(UInt32.max >> length)))
            case .v6(let v6): .v6(IPv6Address(rawValue: v6.rawValue & ~(UInt128.max >> length)))
            }
    }

    /// Whether the address lies in this block.
    public func contains(_ other: IPAddress) -> Bool {
        IPPrefix(other, length: length)?.address == address
    }

    /// The block that holds every address of a family.
    public static func all(of family: AddressFamily) -> IPPrefix {
        switch family {
        case .ipv4: IPPrefix(unchecked: .v4(IPv4Address(rawValue: 0)), length: 0)
        case .ipv6: IPPrefix(unchecked: .v6(IPv6Address(rawValue: 0)), length: 0)
        }
    }

    private init(unchecked address: IPAddress, length: Int) {
        self.address = address
        self.length = length
    }
}

extension IPPrefix: LosslessStringConvertible {
    /// A block from `ADDRESS/LENGTH`, or from an address alone, which is a block of one.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)), parts.count <= 2 else { return nil }
        guard parts.count == 2 else {
            self.init(address, length: address.family.bitWidth)
            return
        }
        guard parts[1].allSatisfy(\.isASCII), !parts[1].hasPrefix("+"), let length = Int(parts[1]) else { return nil }
        self.init(address, length: length)
    }

    public var description: String { "\(address)/\(length)" }
}

extension IPPrefix: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.decodeText("an address block")
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encodeText(self)
    }
}
