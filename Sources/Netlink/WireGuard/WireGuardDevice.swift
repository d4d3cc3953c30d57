public import NetworkAddress

/// Where a WireGuard link sends its own packets. Keys are not kept.
public struct WireGuardDevice: Hashable, Sendable, Codable {
    /// The mark that its own packets carry (WGDEVICE_A_FWMARK).
    public var mark: UInt32? = nil
    public var peers: [WireGuardPeer] = []

    public init() {}

    /// Where packets to these destinations are sent, inside the tunnel's own: to the peer with the longest prefix that
    /// covers each. Where no prefix covers any of them, to any peer.
    package func endpoints(for destinations: [IPAddress]) -> [IPAddress] {
        let covering = destinations.compactMap { destination in
            peers.filter { $0.endpoint != nil }
                .compactMap { peer in peer.prefixLength(covering: destination).map { (length: $0, peer: peer) } }
                .max { $0.length < $1.length }?.peer.endpoint
        }
        var seen: Set<IPAddress> = []
        return (covering.isEmpty ? peers.compactMap(\.endpoint) : covering).filter { seen.insert($0).inserted }
    }
}

/// A peer of a WireGuard link, as far as routing goes.
public struct WireGuardPeer: Hashable, Sendable, Codable {
    /// Nil as long as it has not been heard of and was not given.
    public var endpoint: IPAddress? = nil
    /// The addresses that are sent to it (`AllowedIPs`).
    public var prefixes: [IPPrefix] = []

    public init() {}

    fileprivate func prefixLength(covering destination: IPAddress) -> Int? {
        prefixes.filter { $0.contains(destination) }.map(\.length).max()
    }
}
