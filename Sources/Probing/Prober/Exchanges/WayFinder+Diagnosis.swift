internal import Connectivity
internal import Evidence
internal import Netlink
internal import NetworkAddress
internal import Reachability

extension WayFinder {
    /// Looks for what silence was due to, where this host can tell: a reverse-path filter, or a gateway that is gone.
    ///
    /// - Parameter servers: The name servers that the probe asked by its interface, where it failed by their silence.
    mutating func diagnose(_ result: ProbeResult, _ probe: Probe, silent servers: [IPAddress]) -> ProbeResult {
        guard result.outcome == .failure, result.statusCode == nil, Self.silences.contains(result.reason) else {
            return result
        }
        let family = probe.family ?? result.remoteAddress?.family ?? (path.ipv4.isUsable ? .ipv4 : .ipv6)
        guard let name = probe.interface ?? path[family].interface,
            let interface = path.interface(named: name)
        else { return result }
        if isFiltered(result, probe, interface, family, silent: servers) { return result.filtered(name) }
        guard let gateway = interface[family].gateway ?? (probe.interface == nil ? path[family].gateway : nil),
            kernel.isSilent(gateway, on: interface.index)
        else { return result }
        // Its target may be on the link itself, or behind another one.
        if let address = result.remoteAddress, address != gateway,
            let way = way(to: address, by: probe.interface, .icmp(address.family)), way.gateway != gateway
        {
            return result
        }
        return result.withSilentGateway(gateway, name)
    }

    /// Nothing at all came back.
    private static let silences: [ConnectivityReason?] = [.connectTimeout, .timeout, .unreachable, .nameServerFailed]

    /// A strict filter drops what comes back over an interface that the best route does not leave by.
    private mutating func isFiltered(
        _ result: ProbeResult, _ probe: Probe, _ interface: Interface, _ family: AddressFamily,
        silent servers: [IPAddress]
    ) -> Bool {
        // With the time up after the connection stood, something has come back.
        guard probe.interface != nil, result.reason != .timeout, family == .ipv4, path.ipv4.interface != interface.name,
            kernel.filtersReversePath(interface.index)
        else { return false }
        if let address = result.remoteAddress ?? probe.addresses?.first(where: { $0.family == family }) {
            return kernel.dropsAnswers(of: address, interface)
        }
        guard result.reason == .nameServerFailed else { return true }
        // Of a name server that was heard, or asked by the loopback, nothing was dropped. The filter is IPv4's alone.
        for server in servers {
            guard server.family == .ipv4, kernel.dropsAnswers(of: server, interface) else { return false }
        }
        return !servers.isEmpty
    }
}

extension Kernel {
    /// Whether a strict filter on an interface drops what comes from an address: what leaves for that by this interface
    /// anyhow may come back by it, too.
    mutating func dropsAnswers(of address: IPAddress, _ interface: Interface) -> Bool {
        let sources = interface.addresses.map(\.address).filter { $0.family == address.family }
        guard sources.isEmpty else {
            for source in sources where leaves(for: address, from: source, by: interface.index) { return false }
            return true
        }
        guard case .by(let leg) = self.leg(to: address, by: nil, flow: .icmp(address.family)) else { return true }
        return leg.outputInterface != interface.index
    }

    /// Whether the route to an address, taken with that source, has a leg by an interface: the filter looks up what
    /// comes in the other way round, so that rules by source apply, and it is content with any of the legs.
    private mutating func leaves(for address: IPAddress, from source: IPAddress, by index: UInt32) -> Bool {
        let answer = route(to: address, from: source, by: nil, flow: .icmp(address.family))
        guard case .route(let match, let chosen)? = answer else { return false }
        return match.outputInterface == index || chosen?.outputInterface == index
            || match.nextHops.contains { $0.outputInterface == index }
    }
}
