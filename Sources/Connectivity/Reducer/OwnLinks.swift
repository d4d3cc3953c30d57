internal import NetworkAddress
internal import Reachability

/// Which addresses are this host's own, on a link of its own or behind a route of their own, so that they are reached without
/// a way out.
///
/// Thousands are looked at before the loss of a path can be told: the prefixes are kept as bits.
struct OwnLinks: Hashable {
    private struct Block<Bits: FixedWidthInteger & UnsignedInteger>: Hashable {
        let bits: Bits
        let mask: Bits

        init(_ bits: Bits, length: Int) { (self.bits, mask) = (bits, ~(Bits.max >> length)) }

        func contains(_ address: Bits) -> Bool { address & mask == bits }
    }

    private var v4: [Block<UInt32>] = []
    private var v6: [Block<UInt128>] = []

    init(_ path: Path) {
        self.init(path.interfaces)
        path.routes.forEach { add($0) }
    }

    /// Those on the links of some interfaces.
    init(_ interfaces: some Sequence<Interface>) {
        for own in interfaces.lazy.filter({ $0.isUp && $0.hasCarrier }).flatMap(\.addresses) {
            if let prefix = IPPrefix(own.address, length: Int(own.prefixLength)) { add(prefix) }
        }
    }

    private mutating func add(_ prefix: IPPrefix) {
        switch prefix.address {
        case .v4(let first): v4.append(Block(first.rawValue, length: prefix.length))
        case .v6(let first): v6.append(Block(first.rawValue, length: prefix.length))
        }
    }

    func contains(_ address: IPAddress) -> Bool {
        if address.isLoopback || address.isLinkLocal { return true }
        return switch address {
        case .v4(let address): v4.contains { $0.contains(address.rawValue) }
        case .v6(let address): v6.contains { $0.contains(address.rawValue) }
        }
    }
}

/// What a lane that is bound to an interface does not lead to: what is on the links of others that have lanes of their own.
struct ForeignLinks: Hashable {
    private let own: OwnLinks
    private let others: OwnLinks

    init(own: Interface, others: [Interface]) {
        (self.own, self.others) = (OwnLinks([own]), OwnLinks(others))
    }

    func contains(_ address: IPAddress) -> Bool { others.contains(address) && !own.contains(address) }
}
