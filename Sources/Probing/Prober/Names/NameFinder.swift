internal import Connectivity
internal import EventLoop
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

/// Names are looked up as the probe goes: over its interface, and at that interface's servers. Nothing is remembered: a
/// name server that is dead, or a name that has moved, is seen by the next probe. It stays on the prober's loop.
actor NameFinder {
    nonisolated let loop: EventLoop
    let exchanges: Exchanges
    let resolved: ResolvedClient
    /// How this host looks names up.
    var files: NameFiles
    /// The name servers of interfaces, as they are configured.
    private(set) var nameServers: [String: [NameServer]]
    /// The path that probes leave by.
    private var path = Path.unknown
    var resolvers: [ResolverConfiguration: Resolver] = [:]
    /// Counts look-ups where name servers take turns.
    var turn = 0
    /// What name servers answer to names that do not exist, as long as that is worth remembering.
    private var inventions: [ResolverConfiguration: Invention] = [:]
    /// Those that are being asked for that: many targets may fail at one time, and their answer is that of all.
    private var inquiries: [ResolverConfiguration: Task<[IPAddress], Never>] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(
        loop: EventLoop, exchanges: Exchanges, nameServers: [String: [NameServer]], files: NameFiles,
        resolvedSocket: String
    ) {
        self.loop = loop
        self.exchanges = exchanges
        self.nameServers = nameServers
        self.files = files
        resolved = ResolvedClient(loop: loop, path: resolvedSocket)
    }

    /// Takes note of another path, which may have other name servers.
    func use(_ path: Path) {
        self.path = path
        forget()
    }

    /// Asks these name servers of interfaces from now on.
    func configure(_ nameServers: [String: [NameServer]]) {
        self.nameServers = nameServers
        forget()
    }

    private func forget() {
        resolvers = [:]
        inventions = [:]
        inquiries = [:]
    }

    // MARK: For probes

    /// The addresses to connect to; nil where only the C library can look the name up, which libcurl has it do.
    func addresses(_ parts: URLParts, _ probe: Probe) async throws(ProbeFailure) -> [IPAddress]? {
        let host = probe.firstHop(parts)
        if let address = IPAddress(host) {
            guard probe.family == nil || probe.family == address.family else { throw .notOfFamily(host) }
            return [address]
        }
        if let given = probe.addresses {
            let usable = given.filter { probe.family == nil || probe.family == $0.family }
            guard !usable.isEmpty else { throw .notOfFamily(host) }
            return try check(usable, probe)
        }
        let found: [IPAddress]
        do throws(ResolverError) {
            found = try await lookUp(host, probe)
        } catch {
            if isLeftToLibrary(host, error, probe, parts) { return nil }
            if case .noRecords = error, probe.family != nil { throw .notOfFamily(host) }
            throw ProbeFailure(error)
        }
        return try check(found, probe)
    }

    /// Whether a service of this host that is no name server may know a name that none of them does.
    func isLeftToLibrary(_ host: String, _ error: ResolverError, _ probe: Probe, _ parts: URLParts) -> Bool {
        switch error {
        case .nameNotFound, .noRecords, .noServers: break
        default: return false
        }
        // libcurl knows of no other place than the URL's.
        return probe.interface == nil && probe.family == nil && probe.place == nil && parts.isCurls
            && files.services().mayKnow(host)
    }

    /// The addresses of a name for a probe, as this host has them at this moment.
    func lookUp(_ host: String, _ probe: Probe) async throws(ResolverError) -> [IPAddress] {
        do throws(NameFailure) {
            let question = NameQuestion(
                id: probe.id, name: host, interface: probe.interface, family: probe.family, timeout: probe.timeout)
            return try await find(question).addresses
        } catch {
            throw error.error
        }
    }

    /// The servers a probe asks: those given for its interface, those its manager knows, those of the system, which are
    /// none here.
    func servers(for probe: Probe) -> [NameServer] { servers(of: probe.interface) }

    /// The same, with those of the system where the interface has none of its own.
    func allServers(for probe: Probe) -> [NameServer] {
        let servers = servers(for: probe)
        guard servers.isEmpty else { return servers }
        let system = files.resolver()
        guard !path.nameServers.isEmpty else { return system.servers }
        return path.nameServers.map { known($0, to: system) }
    }

    /// The servers whose silence a failure was, as far as they are asked by the probe's interface: those on this host
    /// itself are not, and systemd-resolved asks the link's own.
    func silentServers(_ failure: ProbeFailure, of probe: Probe) -> [IPAddress] {
        guard failure.isSilence, probe.interface != nil else { return [] }
        let asked = asksManager(for: probe) ? servers(for: probe) : allServers(for: probe)
        return asked.map(\.address).filter { !$0.isLoopback }
    }

    /// Those of an interface; none where it has none of its own.
    func servers(of interface: String?) -> [NameServer] {
        guard let name = interface else { return [] }
        if let servers = nameServers[name] { return servers }
        return index(of: name).flatMap { LinkState(of: $0)?.nameServers } ?? []
    }

    func index(of interface: String) -> UInt32? { path.interface(named: interface)?.index }

    private func check(_ addresses: [IPAddress], _ probe: Probe) throws(ProbeFailure) -> [IPAddress] {
        guard probe.target.isPublic, let address = addresses.first(where: \.isPrivate) else { return addresses }
        throw ProbeFailure(
            .nameHijacked, "the name server says that it is at \(address), which is no address of the Internet",
            phase: .resolve)
    }

    // MARK: Names that do not exist

    /// A name server that answers every name with one address sends every client to a portal, or to nowhere. Asks, where
    /// a probe was answered by another server or not at all, whether the name server would have sent it there
    /// under any name. Takes it for honest where that is not told by the deadline.
    func check(
        _ result: ProbeResult, of probe: Probe, _ parts: URLParts, at addresses: [IPAddress]?,
        until deadline: MonotonicTime?
    ) async -> ProbeResult {
        guard result.isWorthDoubt, parts.scheme != "dns", IPAddress(probe.firstHop(parts)) == nil,
            probe.target.proxy == nil
        else { return result }
        let reached = addresses ?? [result.remoteAddress].compactMap { $0 }
        guard !reached.isEmpty else { return result }
        let invented = await inventions(of: servers(for: probe), interface: probe.interface, until: deadline)
        return invented.contains(where: reached.contains) ? result.hijacked(invented) : result
    }

    /// The addresses that these servers give to a name that cannot exist (RFC 6761, section 6.4); none where they are
    /// honest, or say nothing.
    func inventions(
        of servers: [NameServer], interface: String?, until deadline: MonotonicTime? = nil
    ) async -> [IPAddress] {
        // Those of the system are asked where there are no others.
        let asked = servers.isEmpty ? files.resolver().servers : servers
        // Those on this host itself are reached by its loopback alone.
        let binding = asked.allSatisfy(\.address.isLoopback) ? nil : interface
        let lookUp = ResolverConfiguration(
            servers: servers, interface: binding, attemptTimeout: .milliseconds(500), attempts: 1,
            timeout: .seconds(1))
        if let known = inventions[lookUp], known.time.advanced(by: Invention.lifetime) > .now { return known.addresses }
        let inquiry = inquiries[lookUp] ?? beginInquiry(lookUp)
        let wait = FirstOutcome<[IPAddress]>(loop: loop)
        Task(executorPreference: loop) { wait.finish(await inquiry.value) }
        // One that is cancelled ends at once, and takes the answer from none of the others.
        return await wait.value(ifCancelled: []) { wait in
            if let deadline { wait.finish([], at: deadline) }
        }
    }

    private func beginInquiry(_ lookUp: ResolverConfiguration) -> Task<[IPAddress], Never> {
        let inquiry = Task(executorPreference: loop) { await self.inquire(lookUp) }
        inquiries[lookUp] = inquiry
        return inquiry
    }

    private func inquire(_ lookUp: ResolverConfiguration) async -> [IPAddress] {
        let start = MonotonicTime.now
        let name = String(UInt64.random(in: 0 ... .max), radix: 36) + ".invalid"
        let answer = try? await Resolver(configuration: lookUp, loop: loop).addresses(of: name)
        inventions[lookUp] = Invention(addresses: answer ?? [], time: start)
        inquiries[lookUp] = nil
        return answer ?? []
    }
}

extension Probe {
    /// The host that the connection is made to: the target's, or the proxy's.
    func firstHop(_ parts: URLParts) -> String { (try? target.proxyServer())??.host ?? place ?? parts.host }
}

extension NameFiles {
    /// The addresses of a name that no name server is asked for: this host's file has it, or it is this host (RFC 6761,
    /// section 6.3); nil for any other.
    mutating func ownAddresses(of host: String, family: AddressFamily? = nil) -> [IPAddress]? {
        if let known = hosts.addresses(of: host, family: family) { return known }
        let name = (host.last == "." ? host.dropLast() : host[...]).lowercased()
        guard name == "localhost" || name.hasSuffix(".localhost") else { return nil }
        return ["127.0.0.1", "::1"].compactMap { IPAddress($0) }.filter { family == nil || $0.family == family }
    }
}
