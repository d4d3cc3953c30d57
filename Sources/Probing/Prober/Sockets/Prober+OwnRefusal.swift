internal import Connectivity
internal import Evidence
internal import NetworkAddress
internal import RequestEngine

/// A connection that this host's own filter rejects looks as if its target had refused it.
extension Prober {
    /// The same result, or that this host does not let its target be asked.
    func blamingOwnFilter(_ result: ProbeResult, _ probe: Probe) async -> ProbeResult {
        guard Self.isRefusal(result), let place = connection(of: probe, result),
            way(to: place.address, by: probe.interface, .tcp(port: Int(place.port)))?.isLoopback == false,
            await ownRefusals.contain(place.address, place.port, probe)
        else { return result }
        var result = result
        result.outcome = .skipped
        result.reason = .notPermitted
        result.failure =
            "this host's own firewall rejects connections to \(place.address) port \(place.port): nft list ruleset"
        return result
    }

    /// Whether nothing but a word came that there is no connection.
    private static func isRefusal(_ result: ProbeResult) -> Bool {
        guard result.outcome == .failure, result.statusCode == nil else { return false }
        return [.connectionRefused, .unreachable, .proxyRefused].contains(result.reason)
    }

    /// Where it was connected to; nil where that is no TCP.
    private func connection(of probe: Probe, _ result: ProbeResult) -> (address: IPAddress, port: UInt16)? {
        guard let address = result.remoteAddress ?? probe.addresses?.first,
            let parts = try? URLParts(probe.target.url), parts.isCurls || parts.scheme == "tcp"
        else { return nil }
        let proxy = (try? probe.target.proxyServer()) ?? nil
        let port = proxy?.port ?? parts.port ?? (parts.isSecure ? 443 : 80)
        return UInt16(exactly: port).map { (address, $0) }
    }
}
