internal import NetworkAddress
internal import Reachability

/// Which addresses are this host's own or on a link of its own, so that no gateway is needed to reach them.
///
/// Thousands are looked at before the loss of a path can be told: the prefixes are kept as bits.
struct OwnLinks {
    private var v4: [(bits: UInt32, mask: UInt32)] = []
    private var v6: [(bits: UInt128, mask: UInt128)] = []

    init(_ path: Path) {
        let usable = path.interfaces.lazy.filter { $0.isUp && $0.hasCarrier }
        for own in usable.flatMap(\.addresses) {
            guard let prefix = IPPrefix(own.address, length: Int(own.prefixLength)) else { continue }
            switch prefix.address {
            case .v4(let first): v4.append((first.rawValue, ~(UInt32.max >> prefix.length)))
            case .v6(let first): v6.append((first.rawValue, ~(UInt128.max >> prefix.length)))
            }
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
