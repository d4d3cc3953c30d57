internal import NetworkAddress
internal import Reachability

/// Which addresses are this host's own, on a link of its own or behind a route of their own, so that they are reached without
/// a way out.
///
/// Thousands are looked at before the loss of a path can be told: the prefixes are kept as bits.
struct OwnLinks {
    private var v4: [(bits: UInt32, mask: UInt32)] = []
    private var v6: [(bits: UInt128, mask: UInt128)] = []

    init(_ path: Path) {
        let usable = path.interfaces.lazy.filter { $0.isUp && $0.hasCarrier }
        for own in usable.flatMap(\.addresses) {
            if let prefix = IPPrefix(own.address, length: Int(own.prefixLength)) { add(prefix) }
        }
        path.routes.forEach { add($0) }
    }

    private mutating func add(_ prefix: IPPrefix) {
        switch prefix.address {
        case .v4(let first): v4.append((first.rawValue, ~(UInt32.max >> prefix.length)))
        case .v6(let first): v6.append((first.rawValue, ~(UInt128.max >> prefix.length)))
        }
    }

    func contains(_ address: IPAddress) -> Bool {
        if address.isLoopback || address.isLinkLocal { return true }
        return switch address {
        case .v4(let address): v4.contains { address.rawValue & $0.mask == $0.bits }
        case .v6(let address): v6.contains { address.rawValue & $0.mask == $0.bits }
        }
    }
}
