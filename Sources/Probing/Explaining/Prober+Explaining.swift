internal import Connectivity
internal import EventLoop
internal import Netlink
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

extension Prober {
    /// Looks at every step of the way to a probe's target, in the time that the probe has. The path is the one given by
    /// ``use(_:)``.
    func facts(about probe: Probe) async throws(TargetError) -> ExplanationFacts {
        let parts = try URLParts(probe.target.url)
        let host = firstHop(parts, probe)
        var facts = ExplanationFacts(path: path, interface: probe.interface, host: host, target: probe.target)
        facts.link = probe.interface.flatMap { name in path.interfaces.first { $0.name == name } }
        // By an interface that is not there nothing leaves, whatever the kernel would choose.
        guard probe.interface == nil || facts.link != nil else { return facts }
        let isLiteral = IPAddress(host) != nil
        if path.interfaces.isEmpty { facts.links = kernel.links() }
        // What this host knows by itself is found without a way out.
        guard path.status.isReachable || facts.link != nil || isLiteral || ownAddresses(of: host) != nil else {
            askRules(&facts, probe)
            askPreference(&facts, probe)
            return facts
        }
        await askNames(&facts, probe)
        // As probes have it: names and the host each have their time. What is asked after a failure takes a moment, too.
        let deadline = MonotonicTime.now.advanced(by: probe.timeout * 14 / 15)
        await askWay(&facts, probe, parts)
        // Nothing comes back by a link that is not there.
        if let link = facts.link, !link.isUp || !link.hasCarrier { return facts }
        guard case .success(let addresses)? = facts.addresses, case .route(_, _)? = facts.route else {
            readNeighbour(&facts)
            if case .failure(let failure)? = facts.addresses, failure.reason == .nameServerFailed {
                facts.refusal = refusal(of: facts.destination, port: 53, probe)
            } else if case .failure(let failure)? = facts.addresses, failure.reason == .overloaded {
                facts.portShortage = portShortage(askingAt: facts.destination, probe)
            }
            return facts
        }
        await askFarEnd(&facts, probe, parts, addresses, until: deadline)
        readNeighbour(&facts)
        return facts
    }

    // MARK: Names

    private func askNames(_ facts: inout ExplanationFacts, _ probe: Probe) async {
        let start = MonotonicTime.now
        do throws(ResolverError) {
            let found = try await lookUp(facts.host, probe)
            facts.nameTime = start.duration(to: .now)
            facts.addresses = await examined(found, of: facts.host, probe)
        } catch {
            facts.addresses = .failure(ProbeFailure(error))
        }
        guard IPAddress(facts.host) == nil else { return }
        if ownAddresses(of: facts.host, family: probe.family) != nil {
            let isInFile = names.hosts.addresses(of: facts.host, family: probe.family) != nil
            facts.ownSource = isInFile ? "from /etc/hosts" : "this host itself"
            if isInFile, case .success(let found)? = facts.addresses, let first = found.first {
                facts.hostsLine = names.hosts.line(of: facts.host, first)
            }
            return
        }
        let servers = nameServers(of: probe)
        facts.nameServers = servers.map(\.host)
        guard case .success(let found)? = facts.addresses else { return }
        facts.disagreement = await disagreement(facts.host, found, servers, probe)
    }

    func nameServers(of probe: Probe) -> [NameServer] {
        let servers = servers(for: probe)
        guard servers.isEmpty else { return servers }
        let system = names.resolver()
        guard !path.nameServers.isEmpty else { return system.servers }
        return path.nameServers.map { known($0, to: system) }
    }

    private func examined(
        _ found: [IPAddress], of host: String, _ probe: Probe
    ) async -> Result<[IPAddress], ProbeFailure> {
        if IPAddress(host) == nil, ownAddresses(of: host) == nil {
            let invented = await inventions(of: servers(for: probe), interface: probe.interface)
            if let lie = invented.first(where: found.contains) { return .failure(.hijacked(host, lie)) }
        }
        // The kernel's own choice of family: without a way for IPv6 its addresses are of no use.
        return .success(found.filter { path[$0.family].isUsable } + found.filter { !path[$0.family].isUsable })
    }

    // MARK: The way

    /// Without a way out it may be a rule that rejects all, or all of this user's: then the kernel is asked about a public
    /// host, to which nothing is sent.
    private func askRules(_ facts: inout ExplanationFacts, _ probe: Probe) {
        for family in AddressFamily.allCases where probe.family == nil || probe.family == family {
            guard let address = Reference.defaults.first(where: { $0.address.family == family })?.address else {
                continue
            }
            var asked = facts
            asked.destination = address
            asked.rules = kernel.rules(family)
            asked.route = kernel.route(to: address, by: nil)
            guard asked.ruleStep?.isWell == false else { continue }
            facts = asked
            return
        }
    }

    /// The kernel may take a route by an interface that is dead before that of one that works.
    private func askPreference(_ facts: inout ExplanationFacts, _ probe: Probe) {
        for family in AddressFamily.allCases where probe.family == nil || probe.family == family {
            guard path.interfaces.contains(where: { $0[family].isUsable }),
                let address = Reference.defaults.first(where: { $0.address.family == family })?.address,
                case .route(let match, let chosen)? = kernel.route(to: address, by: nil)
            else { continue }
            let index = chosen?.outputInterface ?? match.outputInterface
            facts.deadPreference = path.interfaces.first { $0.index == index && !$0[family].isUsable }
            if facts.deadPreference != nil { return }
        }
    }

    /// Asks the kernel for the way: to the host, or to the name server where the host is not known.
    private func askWay(_ facts: inout ExplanationFacts, _ probe: Probe, _ parts: URLParts) async {
        let server = nameServers(of: probe).first
        var destination = server?.address
        // A server that is known by one link alone is asked by that.
        var binding = facts.link?.index ?? server?.zoneIndex
        if case .success(let addresses)? = facts.addresses {
            (destination, binding) = (addresses.first, facts.link?.index)
        }
        guard let destination else { return }
        facts.destination = destination
        facts.rules = kernel.rules(destination.family)
        if facts.rules.contains(where: \.looksAtFlows) { facts.flow = flow(facts, destination, probe, parts) }
        facts.route = kernel.route(to: destination, by: binding, flow: facts.flow)
        guard case .route(let match, let chosen)? = facts.route else {
            if case .rejected(let type)? = facts.route {
                facts.rejectingTable = table(rejecting: destination, type, facts)
            }
            return await askFamily(&facts, destination.family, probe)
        }
        let index = chosen?.outputInterface ?? match.outputInterface
        facts.link = facts.link ?? path.interfaces.first { $0.index == index }
        if let source = chosen?.preferredSource, let index { facts.source = kernel.address(source, on: index) }
        if facts.link == nil { facts.device = kernel.links().first { $0.index == index }?.name }
        facts.gateway = chosen?.gateway ?? match.gateway
        facts.nextHop = facts.link == nil ? nil : facts.gateway ?? destination
    }

    /// The packets that go to the destination first.
    private func flow(_ facts: ExplanationFacts, _ destination: IPAddress, _ probe: Probe, _ parts: URLParts) -> Flow {
        guard case .success? = facts.addresses else { return .udp(port: 53) }
        if let proxy = (try? probe.target.proxyServer()) ?? nil { return .tcp(port: proxy.port) }
        switch parts.scheme {
        case "icmp": return .icmp(destination.family)
        case "dns": return .udp(port: parts.port ?? 53)
        default: return .tcp(port: parts.port ?? (parts.isSecure ? 443 : 80))
        }
    }

    /// A table that an administrator made beside those of the system (`main`, `default`, `local`), and that rejects.
    private func table(
        rejecting destination: IPAddress, _ type: RouteType, _ facts: ExplanationFacts
    ) -> UInt32? {
        let tables = facts.rules.filter(\.leadsToTable).map(\.table).filter { !RuleMessage.systemTables.contains($0) }
        return tables.first { kernel.rejects(destination, as: type, in: $0) }
    }

    /// Where this host has the other family only, the question is why not this one.
    private func askFamily(_ facts: inout ExplanationFacts, _ family: AddressFamily, _ probe: Probe) async {
        let other: AddressFamily = family == .ipv4 ? .ipv6 : .ipv4
        guard !path[family].isUsable, path[other].isUsable,
            let link = facts.link ?? path.interfaces.first(where: { $0.name == path[other].interface }),
            !link.addresses.contains(where: { $0.address.family == family && !$0.address.isLinkLocal })
        else { return }
        facts.link = link
        if family == .ipv4 { facts.translation = await translation(probe) }
    }

    func readNeighbour(_ facts: inout ExplanationFacts) {
        guard let nextHop = facts.nextHop, let link = facts.link else { return }
        facts.neighbour = kernel.neighbour(nextHop, on: link.index)
        facts.neighbourTime = .now
    }
}

extension ProbeFailure {
    fileprivate static func hijacked(_ host: String, _ address: IPAddress) -> ProbeFailure {
        ProbeFailure(
            .nameHijacked, "the name server says that \(host) is \(address), and says so of names that do not exist",
            phase: .resolve)
    }
}
