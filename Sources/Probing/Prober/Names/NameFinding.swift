internal import NetworkAddress
internal import Resolver

/// The addresses of a name and how long they hold.
struct NameFinding: Sendable {
    var addresses: [IPAddress]
    var lifetime: Duration

    /// What this host knows by itself holds until it is changed.
    static let ownLifetime = Duration.seconds(86_400)
}

extension NameFinding {
    init(_ records: [Record]) {
        addresses = []
        var least = Int.max
        for case .address(let address, let timeToLive) in records {
            addresses.append(address)
            least = min(least, timeToLive)
        }
        lifetime = addresses.isEmpty ? .zero : .seconds(max(0, least))
    }

    /// What came of both families, IPv6's addresses first. The failure of one is none while the other has an address.
    static func joined(
        _ one: Result<NameFinding, NameFailure>, _ other: Result<NameFinding, NameFailure>
    ) -> Result<NameFinding, NameFailure> {
        switch (one, other) {
        case (.success(let one), .success(let other)):
            .success(
                NameFinding(
                    addresses: one.addresses + other.addresses, lifetime: min(one.lifetime, other.lifetime)))
        case (.success, .failure): one
        case (.failure, .success): other
        case (.failure(let one), .failure(let other)): .failure(.telling(other, one))
        }
    }
}
