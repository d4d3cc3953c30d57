package import NetworkAddress

/// What a ``NetworkReachabilityManager`` is about.
package enum ReachabilityTarget: Hashable, Sendable {
    case internet
    case address(IPAddress)
    case domain(String)

    /// What can be asked at once, before any name is resolved.
    var firstConfiguration: PathMonitor.Configuration {
        switch self {
        case .internet, .domain: PathMonitor.Configuration()
        case .address(let address): PathMonitor.Configuration(destination: address)
        }
    }

    var isNamed: Bool {
        if case .domain = self { true } else { false }
    }
}
