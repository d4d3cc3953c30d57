internal import NetworkAddress
internal import Reachability

/// Which addresses are this host's own or on a link of its own, so that no gateway is needed to reach them.
struct OwnLinks {
    private let prefixes: [IPPrefix]

    init(_ path: Path) {
        prefixes = path.interfaces.filter { $0.isUp && $0.hasCarrier }
            .flatMap { $0.addresses.compactMap { IPPrefix($0.address, length: Int($0.prefixLength)) } }
    }

    func contains(_ address: IPAddress) -> Bool {
        address.isLoopback || address.isLinkLocal || prefixes.contains { $0.contains(address) }
    }
}
