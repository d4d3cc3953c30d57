internal import Connectivity
internal import EventLoop
internal import NetworkAddress
internal import RequestEngine
internal import Resolver

/// What name servers answered to a name that does not exist.
struct Invention {
    /// None where they said so.
    let addresses: [IPAddress]
    let time: MonotonicTime

    /// How long it holds: many targets may fail at once.
    static let lifetime = Duration.seconds(10)
}

/// A name server that answers every name with one address sends every client to a portal, or to nowhere.
extension Prober {
    /// Asks, where a probe was answered by another server or not at all, whether the name server would have sent it there
    /// under any name.
    func checkName(
        _ parts: URLParts, _ result: ProbeResult, _ probe: Probe, _ addresses: [IPAddress]?
    ) async -> ProbeResult {
        guard result.isWorthDoubt, parts.scheme != "dns", !parts.isAddressLiteral, probe.target.proxy == nil else {
            return result
        }
        let reached = addresses ?? [result.remoteAddress].compactMap { $0 }
        let servers = servers(for: probe)
        guard !reached.isEmpty else { return result }
        let invented = await inventions(of: servers, interface: probe.interface)
        return invented.contains(where: reached.contains) ? result.hijacked(invented) : result
    }

    /// The addresses that these servers give to a name that cannot exist (RFC 6761, section 6.4); none where they are
    /// honest, or say nothing.
    func inventions(of servers: [NameServer], interface: String?) async -> [IPAddress] {
        let lookUp = ResolverConfiguration(
            servers: servers, interface: interface, attemptTimeout: .milliseconds(500), attempts: 1,
            timeout: .seconds(1))
        let now = MonotonicTime.now
        if let known = inventions[lookUp], known.time.advanced(by: Invention.lifetime) > now { return known.addresses }
        let name = String(UInt64.random(in: 0 ... .max), radix: 36) + ".invalid"
        let answer = try? await Resolver(configuration: lookUp, loop: loop).addresses(of: name)
        inventions[lookUp] = Invention(addresses: answer ?? [], time: now)
        return answer ?? []
    }
}
