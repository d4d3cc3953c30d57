internal import Connectivity
internal import NetworkAddress
internal import RequestEngine

/// Where a probe was told that there is no connection, be it by its target or by this host's own filter.
struct RefusedConnection {
    let address: IPAddress
    let port: UInt16

    /// - Returns: nil where more than that word came, or where the probe needs no TCP.
    init?(_ result: ProbeResult, of probe: Probe) {
        guard result.outcome == .failure, result.statusCode == nil, Self.reasons.contains(result.reason),
            let address = result.remoteAddress ?? probe.addresses?.first,
            let parts = try? URLParts(probe.target.url), parts.isCurls || parts.scheme == "tcp"
        else { return nil }
        let proxy = (try? probe.target.proxyServer()) ?? nil
        let port = proxy?.port ?? parts.port ?? (parts.isSecure ? 443 : 80)
        guard let port = UInt16(exactly: port) else { return nil }
        (self.address, self.port) = (address, port)
    }

    private static let reasons: [ConnectivityReason?] = [.connectionRefused, .unreachable, .proxyRefused]

    /// What the probe's result is where this host does not let its target be asked.
    func blamingThisHost(_ result: ProbeResult) -> ProbeResult {
        var result = result
        result.outcome = .skipped
        result.reason = .notPermitted
        result.addresses = nil
        result.failure = "this host's own firewall rejects connections to \(address) port \(port): nft list ruleset"
        return result
    }
}
