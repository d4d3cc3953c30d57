internal import Netlink
internal import NetworkAddress
internal import Reachability
internal import RequestCore
internal import Resolver

extension Prober {
    /// Looks at every step of the way to a probe's target. The path is the one given by ``use(_:)``.
    func facts(about probe: Probe) async throws(TargetError) -> ExplanationFacts {
        let parts = try URLParts(probe.target.url)
        var facts = ExplanationFacts(path: path, interface: probe.interface, host: parts.host)
        facts.link = probe.interface.flatMap { name in path.interfaces.first { $0.name == name } }
        // By an interface that is not there nothing leaves, whatever the kernel would choose.
        guard probe.interface == nil || facts.link != nil else { return facts }
        guard path.status.isReachable || facts.link != nil || parts.isAddressLiteral else { return facts }
        let servers = nameServers(of: probe)
        facts.addresses = await addresses(of: parts.host, probe)
        if !parts.isAddressLiteral { facts.nameServers = servers.map(\.address.description) }
        ask(&facts, fallback: servers.first?.address)
        guard case .success(let addresses)? = facts.addresses, case .route(_, _)? = facts.route else {
            readNeighbour(&facts)
            return facts
        }
        facts.result = await result(of: probe, at: addresses)
        facts.otherFamily = await otherFamily(facts, probe, addresses)
        readNeighbour(&facts)
        return facts
    }

    /// One family may hide that the other is dead: connections fall back to it.
    private func otherFamily(
        _ facts: ExplanationFacts, _ probe: Probe, _ addresses: [IPAddress]
    ) async -> ProbeResult? {
        guard facts.result?.outcome == .success, probe.family == nil, let used = facts.result?.remoteAddress?.family
        else {
            return nil
        }
        let others = addresses.filter { $0.family != used && path[$0.family].isUsable }
        guard let family = others.first?.family else { return nil }
        var other = probe
        other.family = family
        return await result(of: other, at: others)
    }

    private func nameServers(of probe: Probe) -> [NameServer] {
        let servers = servers(for: probe)
        return servers.isEmpty ? path.nameServers.map { NameServer($0) } : servers
    }

    private func addresses(of host: String, _ probe: Probe) async -> Result<[IPAddress], ProbeFailure> {
        let found: [IPAddress]
        do throws(ResolverError) { found = try await lookUp(host, probe) } catch {
            return .failure(ProbeFailure(error))
        }
        if IPAddress(host) == nil, hosts.addresses(of: host) == nil {
            let invented = await inventions(of: servers(for: probe), interface: probe.interface)
            if let lie = invented.first(where: found.contains) { return .failure(.hijacked(host, lie)) }
        }
        // The kernel's own choice of family: without a way for IPv6 its addresses are of no use.
        return .success(found.filter { path[$0.family].isUsable } + found.filter { !path[$0.family].isUsable })
    }

    /// Asks the kernel for the way: to the host, or to the name server where the host is not known.
    private func ask(_ facts: inout ExplanationFacts, fallback: IPAddress?) {
        var destination = fallback
        if case .success(let addresses)? = facts.addresses { destination = addresses.first }
        guard let destination else { return }
        facts.destination = destination
        facts.route = kernel.route(to: destination, by: facts.link?.index)
        facts.rules = kernel.rules(destination.family)
        guard case .route(let match, let chosen)? = facts.route else { return }
        let index = chosen?.outputInterface ?? match.outputInterface
        facts.link = facts.link ?? path.interfaces.first { $0.index == index }
        if let source = chosen?.preferredSource, let index { facts.source = kernel.address(source, on: index) }
        facts.nextHop = facts.link == nil ? nil : chosen?.gateway ?? match.gateway ?? destination
    }

    private func readNeighbour(_ facts: inout ExplanationFacts) {
        guard let nextHop = facts.nextHop, let link = facts.link else { return }
        facts.neighbour = kernel.neighbour(nextHop, on: link.index)
    }
}

extension ProbeFailure {
    fileprivate static func hijacked(_ host: String, _ address: IPAddress) -> ProbeFailure {
        ProbeFailure(
            .nameHijacked, "the name server says that \(host) is \(address), and says so of names that do not exist",
            phase: .resolve)
    }
}
