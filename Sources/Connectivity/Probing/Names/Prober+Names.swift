internal import NetworkAddress
internal import Reachability
internal import RequestCore
internal import Resolver

/// Names are looked up as the probe goes: over its interface, and at that interface's servers.
extension Prober {
    /// The addresses to connect to; nil where libcurl may look the name up in the system's way.
    func addresses(_ parts: URLParts, _ probe: Probe) async throws(ProbeFailure) -> [IPAddress]? {
        let host = firstHop(parts, probe)
        if let address = IPAddress(host) {
            guard probe.family == nil || probe.family == address.family else { throw .notOfFamily(host) }
            return [address]
        }
        // Only libcurl can look names up in the system's way.
        guard probe.interface != nil || probe.family != nil || !parts.isCurls else { return nil }
        let found: [IPAddress]
        do throws(ResolverError) {
            found = try await lookUp(host, probe)
        } catch {
            if case .noRecords = error { throw .notOfFamily(host) }
            throw ProbeFailure(error)
        }
        return try check(found, probe)
    }

    /// The host that the connection is made to: the target's, or the proxy's.
    func firstHop(_ parts: URLParts, _ probe: Probe) -> String {
        (try? probe.target.proxyServer())??.host ?? parts.host
    }

    /// The addresses of a name, as this host's file has them, else as systemd-resolved finds them at the servers of the
    /// probe's interface, else as those servers tell.
    func lookUp(_ host: String, _ probe: Probe) async throws(ResolverError) -> [IPAddress] {
        if let known = ownAddresses(of: host, family: probe.family) { return known }
        if let found = try await lookUpByManager(host, probe) { return found }
        return try await resolver(servers(for: probe), probe).addresses(of: host, family: probe.family)
    }

    /// The addresses of a name that no name server is asked for: this host's file has it, or it is this host (RFC 6761,
    /// section 6.3); nil for any other.
    func ownAddresses(of host: String, family: AddressFamily? = nil) -> [IPAddress]? {
        if let known = hosts.addresses(of: host, family: family) { return known }
        let name = (host.last == "." ? host.dropLast() : host[...]).lowercased()
        guard name == "localhost" || name.hasSuffix(".localhost") else { return nil }
        return ["127.0.0.1", "::1"].compactMap { IPAddress($0) }.filter { family == nil || $0.family == family }
    }

    /// Nil where systemd-resolved does not run, or knows no servers of the interface.
    private func lookUpByManager(_ host: String, _ probe: Probe) async throws(ResolverError) -> [IPAddress]? {
        guard let name = probe.interface, nameServers[name] == nil, resolved.isRunning,
            let index = path.interfaces.first(where: { $0.name == name })?.index
        else { return nil }
        do throws(ResolverError) {
            return try await resolved.addresses(of: host, family: probe.family, link: index, timeout: probe.timeout)
        } catch {
            switch error {
            case .noServers, .setup: return nil
            default: throw error
            }
        }
    }

    /// The servers a probe asks: those given for its interface, those its manager knows, those of the system, which are
    /// none here.
    func servers(for probe: Probe) -> [NameServer] {
        guard let name = probe.interface else { return [] }
        if let servers = nameServers[name] { return servers }
        let index = path.interfaces.first { $0.name == name }?.index
        return index.flatMap { LinkState(of: $0)?.nameServers } ?? []
    }

    func resolver(_ servers: [NameServer], _ probe: Probe) -> Resolver {
        let configuration = LookUp(
            servers: servers, interface: probe.interface, attemptTimeout: probe.timeout / 2, attempts: 2,
            timeout: probe.timeout)
        if let resolver = resolvers[configuration] { return resolver }
        let resolver = Resolver(configuration: configuration, loop: loop)
        resolvers[configuration] = resolver
        return resolver
    }

    /// Another path may have other servers.
    func forgetNames() {
        resolvers = [:]
        inventions = [:]
    }

    private func check(_ addresses: [IPAddress], _ probe: Probe) throws(ProbeFailure) -> [IPAddress] {
        guard probe.target.isPublic, let address = addresses.first(where: \.isPrivate) else { return addresses }
        throw ProbeFailure(
            .nameHijacked, "the name server says that it is at \(address), which is no address of the Internet",
            phase: .resolve)
    }
}
