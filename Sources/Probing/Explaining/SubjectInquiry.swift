internal import Connectivity
internal import EventLoop
internal import Netlink
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

/// Looks at every step of the way to a probe's target, in the order packets go. It stays on the prober's loop.
actor SubjectInquiry {
    private let prober: Prober
    private let probe: Probe
    private let path: Path
    private let servers: ServerInquiry
    private var files: NameFiles
    private var kernel: WayInquiry
    private var facts: ExplanationFacts

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe prober.loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - prober: Has the same path and files.
    ///   - files: How this host looks names up.
    init(about probe: Probe, by path: Path, _ prober: Prober, files: NameFiles) throws(TargetError) {
        let subject = try Subject(of: probe, by: path)
        self.prober = prober
        self.probe = probe
        self.path = path
        self.files = files
        servers = ServerInquiry(for: probe, prober)
        kernel = WayInquiry(about: subject, probe)
        facts = ExplanationFacts(about: subject)
    }

    /// What there is to know before anything else is asked, in the time that the probe has.
    func look() async -> ExplanationFacts {
        let subject = facts.subject
        facts.way.link = subject.interface.flatMap { name in path.interface(named: name) }
        // By an interface that is not there nothing leaves, whatever the kernel would choose.
        guard subject.interface == nil || facts.way.link != nil else { return facts }
        kernel.askLinks(&facts.way)
        // What this host knows by itself is found without a way out.
        let isKnown = IPAddress(subject.host) != nil || files.ownAddresses(of: subject.host) != nil
        if path.status.isReachable || facts.way.link != nil || isKnown {
            await askNames()
        } else if await !isFoundOnLink() {
            kernel.askWhyNone(&facts.way)
            return facts
        }
        // As probes have it: names and the host each have their time. What is asked after a failure takes a moment, too.
        let deadline = MonotonicTime.now.advanced(by: probe.timeout * 14 / 15)
        await askWay()
        // Nothing comes back by a link that is not there.
        if let link = facts.way.link, !link.isUp || !link.hasCarrier { return facts }
        if facts.way.isLoopbackDown { return facts }
        if case .success(let addresses)? = facts.names.addresses, case .route? = facts.way.route {
            let farEnd = FarEndInquiry(
                about: subject, probe.ending(at: deadline), addresses, isLocal: facts.way.isLocal, prober)
            (facts.farEnd, facts.host) = await farEnd.look(until: deadline)
            askReachedWay()
            kernel.readNeighbour(&facts.way)
        } else {
            kernel.readNeighbour(&facts.way)
            await askHost()
        }
        return facts
    }

    /// Where the way is broken: what each name server does with the question, what the file of hosts hides, and whether
    /// anything else works from here.
    ///
    /// - Parameter references: Hosts that may be asked whether they are there, beside the subject.
    func lookElsewhere(_ references: [Reference]) async -> ExplanationFacts {
        let elsewhere = ElsewhereInquiry(facts, probe, prober)
        let asked = Task(executorPreference: prober.loop) { await elsewhere.look(references) }
        if facts.names.hostsLine != nil, case .success(let found)? = facts.names.addresses {
            facts.names.disagreement = await servers.disagreement(
                files.resolver().candidates(facts.subject.host), found,
                await prober.names.allServers(for: probe), least: 1)
        }
        facts.names.serverAnswers = await serverAnswers()
        let witnesses = await answeringServers(elsewhere)
        var found = await asked.value
        found.checks += witnesses.filter { !found.checks.contains($0) }
        facts.elsewhere = found
        // What was asked has had the kernel look for the next router, too.
        kernel.readNeighbour(&facts.way)
        return facts
    }

    /// Where the subject sends to another site: whether a reference does, asked by the same way. One that a portal answers for
    /// shows whose doing it is.
    func askReference() async -> ExplanationFacts {
        var target = Target.defaults[0]
        // A private address that its name leads to is a portal's.
        target.isPublic = false
        target.proxy = probe.target.proxy
        let question = Probe(
            id: 0, target: target, interface: probe.interface, family: probe.family,
            timeout: min(probe.timeout, .seconds(2)))
        facts.farEnd.reference = await prober.result(of: question)
        return facts
    }

    // MARK: Names

    /// Whether a name is that of a host on one of this host's own links, as the name server is that knows it: such a host is
    /// reached where nothing leads out.
    private func isFoundOnLink() async -> Bool {
        let subject = facts.subject
        let servers = await prober.names.allServers(for: probe)
        guard servers.contains(where: { kernel.leads(to: $0.address, .udp(port: Int($0.port)), by: $0.zoneIndex) })
        else { return false }
        await askNames()
        var found: [IPAddress] = []
        if case .success(let addresses)? = facts.names.addresses { found = addresses }
        let reached = found.filter { kernel.leads(to: $0, subject.flow(to: $0)) }
        guard !reached.isEmpty else {
            facts.names = NameFacts()
            return false
        }
        // The way to the first is asked about.
        facts.names.addresses = .success(reached + found.filter { !reached.contains($0) })
        return true
    }

    private func askNames() async {
        let host = facts.subject.host
        let start = MonotonicTime.now
        do throws(ResolverError) {
            let found = try await prober.names.lookUp(host, probe)
            facts.names.time = start.duration(to: .now)
            facts.names.addresses = await examined(found, of: host)
        } catch {
            facts.names.addresses = .failure(ProbeFailure(error))
            if case .noRecords = error { facts.names.lacksFamily = probe.family != nil }
            // A service of this host's may know it, which only the C library asks, as probes have it do.
            if await prober.names.isLeftToLibrary(host, error, probe, facts.subject.parts),
                let address = await prober.result(of: probe, at: nil).remoteAddress
            {
                facts.names.addresses = .success([address])
                facts.names.ownSource = "from a service of /etc/nsswitch.conf"
                return
            }
        }
        guard IPAddress(host) == nil else { return }
        if files.ownAddresses(of: host, family: probe.family) != nil {
            let isInFile = files.hosts.addresses(of: host, family: probe.family) != nil
            facts.names.ownSource = isInFile ? "from /etc/hosts" : "this host itself"
            if isInFile, case .success(let found)? = facts.names.addresses, let first = found.first {
                facts.names.hostsLine = files.hosts.line(of: host, first)
            }
            return
        }
        let all = await prober.names.allServers(for: probe)
        facts.names.servers = all.map(\.host)
        guard case .success(let found)? = facts.names.addresses else { return }
        // systemd-resolved chooses the servers by the name: the others need not know it.
        guard await !prober.names.asksManager(for: probe) else { return }
        facts.names.disagreement = await servers.disagreement(files.resolver().candidates(host), found, all)
    }

    private func examined(_ found: [IPAddress], of host: String) async -> Result<[IPAddress], ProbeFailure> {
        if IPAddress(host) == nil, files.ownAddresses(of: host) == nil {
            let names = prober.names
            let invented = await names.inventions(of: await names.servers(for: probe), interface: probe.interface)
            if let lie = invented.first(where: found.contains) { return .failure(.hijacked(host, lie)) }
        }
        // The kernel's own choice of family: without a way for IPv6 its addresses are of no use.
        let subject = facts.subject
        return .success(
            found.filter { subject.isUsable($0.family) } + found.filter { !subject.isUsable($0.family) })
    }

    private func serverAnswers() async -> [ServerAnswer] {
        if case .failure(let failure)? = facts.names.addresses, failure.reason == .nameServerFailed {
            // As they were asked before: it is not the bare name that failed where there are search domains.
            let candidates = files.resolver().candidates(facts.subject.host)
            let (name, answers) = await servers.answers(
                toFirstOf: candidates, await prober.names.allServers(for: probe))
            if !answers.isEmpty { facts.names.asked = name }
            return answers
        }
        let parts = facts.subject.parts
        guard parts.scheme == "dns", facts.farEnd.result?.reason == .nameServerFailed,
            let server = facts.farEnd.result?.remoteAddress
        else { return [] }
        return await servers.answers(
            parts.queryName, type: parts.recordType, [NameServer(server, port: UInt16(clamping: parts.port ?? 53))])
    }

    /// The name servers beyond the gateway that know what they are asked: whatever else is silent, the way there is well. A
    /// router whose line is dead answers too, but that it cannot.
    private func answeringServers(_ elsewhere: ElsewhereInquiry) async -> [Elsewhere.Check] {
        let host = facts.subject.host
        guard IPAddress(host) == nil, facts.names.ownSource == nil, let link = facts.way.link,
            facts.way.gateway != nil || link.isTunnel
        else { return [] }
        let beyond = await elsewhere.onSameWay(await prober.names.allServers(for: probe))
        var answers = facts.names.serverAnswers
        if case .success? = facts.names.addresses { answers = await servers.answers(host, beyond) }
        return answers.filter { $0.knows && beyond.contains($0.server) }.map {
            Elsewhere.Check(.reference, $0.server.address, interface: link.name, answers: true)
        }
    }

    // MARK: The way

    /// Asks the kernel for the way: to the host, or to the name server where the host is not known.
    private func askWay() async {
        if case .success(let addresses)? = facts.names.addresses {
            guard let destination = addresses.first else { return }
            kernel.askWay(&facts.way, to: destination, facts.subject.flow(to: destination))
        } else {
            // A server that is known by one link alone is asked by that.
            guard let server = await prober.names.allServers(for: probe).first else { return }
            kernel.askWay(&facts.way, to: server.address, .udp(port: 53), by: server.zoneIndex)
            askWayOfStub(server.address)
        }
        if kernel.askFamily(&facts.way) { facts.way.translation = await servers.translation() }
    }

    /// Where the probe got through by the other family, the way is that one's: what is wrong with the first is told as
    /// the family's.
    private func askReachedWay() {
        guard let result = facts.farEnd.result, result.outcome == .success, let reached = result.remoteAddress,
            let destination = facts.way.destination, reached.family != destination.family
        else { return }
        var way = WayFacts()
        way.link = facts.subject.interface.flatMap { name in path.interface(named: name) }
        way.links = facts.way.links
        way.time = facts.way.time
        kernel.askWay(&way, to: reached, facts.subject.flow(to: reached))
        facts.way = way
    }

    /// A resolver on this host itself asks others, by the way out: that is the way then. Nothing is sent on it here.
    private func askWayOfStub(_ server: IPAddress) {
        let family: AddressFamily = path.ipv4.isUsable || !path.ipv6.isUsable ? .ipv4 : .ipv6
        guard server.isLoopback, facts.way.isLocal, !facts.way.isLoopbackDown, path[family].isUsable,
            let anywhere = Reference.anywhere(family)
        else { return }
        facts.names.stub = server
        var way = WayFacts()
        kernel.askWay(&way, to: anywhere, .udp(port: 53))
        facts.way = way
    }

    /// Whether this host itself is why no name server was asked.
    private func askHost() async {
        guard case .failure(let failure)? = facts.names.addresses else { return }
        let server = facts.names.stub ?? facts.way.destination
        if failure.reason == .nameServerFailed {
            let filter = OwnFilter(by: probe.interface, prober.loop)
            facts.host.refusal = filter.refusal(of: server, port: 53)
            guard facts.host.refusal == nil, failure.isSilence, let server, !server.isLoopback else { return }
            facts.host.drops = await filter.drops(
                to: server, port: 53, after: .milliseconds(500), within: .seconds(2))
        } else if failure.reason == .overloaded {
            facts.host.portShortage = .found(askingAt: server, by: probe.interface)
        }
    }
}

extension ProbeFailure {
    fileprivate static func hijacked(_ host: String, _ address: IPAddress) -> ProbeFailure {
        ProbeFailure(
            .nameHijacked, "the name server says that \(host) is \(address), and says so of names that do not exist",
            phase: .resolve)
    }
}

extension Probe {
    /// The same with what is left of the time.
    func ending(at deadline: MonotonicTime) -> Probe {
        var probe = self
        // In whole milliseconds, as people read it.
        let rest = MonotonicTime.now.duration(to: deadline).nanoseconds / 1_000_000
        probe.timeout = .milliseconds(max(Int64(rest), 50))
        return probe
    }
}
