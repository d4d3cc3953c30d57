internal import Connectivity
internal import Echo
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

/// Sends probes and says what came of them. Everything that a probe touches is touched here.
actor Prober {
    nonisolated let loop: EventLoop
    private(set) var certificateAuthorityFile: String?
    /// Made with the first HTTP probe: a monitor that probes nothing does without libcurl.
    private var session: Session?
    private let trustStores: TrustStores
    let examiners: BodyExaminers
    let exchanges: Exchanges
    let names: NameFinder
    let pinger: Pinger
    let tcp: TCPProber
    private let echo: EchoProber
    let ownRefusals: OwnRefusals
    /// What the targets' URLs say, so that each is read once.
    private var known: [String: URLParts] = [:]
    /// The path that probes leave by.
    private(set) var path = Path.unknown
    /// Takes what was measured of exchanges beside their results, on the loop; nil where that is of no interest.
    var examine: (@Sendable (Probe.ID, ProbeDetail) -> Void)?
    /// How long after a probe's time the doubt about its name server may go on; nil for as long as that takes.
    var doubtTime: Duration?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// The most addresses of a name that are tried.
    private static let mostTried = 32

    init(
        loop: EventLoop, configuration: ConnectivityConfiguration, trustStores: TrustStores = TrustStores(),
        examiners: BodyExaminers = BodyExaminers(), resolvedSocket: String = ResolvedClient.socket,
        files: NameFiles = NameFiles()
    ) {
        self.loop = loop
        self.trustStores = trustStores
        self.examiners = examiners
        certificateAuthorityFile = configuration.certificateAuthorityFile
        exchanges = Exchanges(loop: loop)
        names = NameFinder(
            loop: loop, exchanges: exchanges, nameServers: configuration.nameServers, files: files,
            resolvedSocket: resolvedSocket)
        pinger = Pinger(loop: loop)
        tcp = TCPProber(loop: loop, exchanges: exchanges)
        echo = EchoProber(pinger: pinger, exchanges: exchanges)
        ownRefusals = OwnRefusals(loop: loop)
    }

    /// Takes note of another path.
    func use(_ path: Path) {
        self.path = path
        exchanges.assumeIsolated { $0.use(path) }
        names.assumeIsolated { $0.use(path) }
    }

    /// Asks by another configuration from now on. Probes under way end as they began.
    func configure(_ configuration: ConnectivityConfiguration) {
        known = [:]
        names.assumeIsolated { $0.configure(configuration.nameServers) }
        guard certificateAuthorityFile != configuration.certificateAuthorityFile else { return }
        certificateAuthorityFile = configuration.certificateAuthorityFile
        session = nil
    }

    /// Sends a probe and waits for its end. Cancelling the task ends it at once.
    func result(of probe: Probe) async -> ProbeResult {
        if probe.target.eachAddress, let parts = try? parts(of: probe), !parts.isAddressLiteral {
            return await blamingOwnFilter(resultOfEachAddress(probe, parts), probe)
        }
        return await blamingOwnFilter(result(of: probe, at: nil), probe)
    }

    /// The same at addresses that were looked up before.
    func result(of probe: Probe, at known: [IPAddress]?) async -> ProbeResult {
        let start = MonotonicTime.now
        do throws(ProbeFailure) {
            let parts = try parts(of: probe)
            let isPlaced = known != nil || probe.addresses != nil || IPAddress(probe.firstHop(parts)) != nil
            try checkInterface(of: probe, isPlaced: isPlaced)
            let found = if let known { known } else { try await names.addresses(parts, probe) }
            let resolved = start.duration(to: .now)
            let addresses = try await routed(found, of: probe)
            var result = await send(probe, parts, addresses, spent: resolved)
            if addresses != nil, !parts.isAddressLiteral {
                result.phaseNanoseconds[.resolve, default: 0] += resolved.nanoseconds
            }
            result.durationNanoseconds =
                parts.scheme == "dns"
                ? resolved.nanoseconds + result.durationNanoseconds : start.duration(to: .now).nanoseconds
            result.delayNanoseconds = probe.due?.duration(to: start).nanoseconds
            return await names.check(
                await exchanges.diagnose(result, probe), of: probe, parts, at: addresses,
                until: doubtTime.map { start.advanced(by: probe.timeout + $0) })
        } catch {
            var result = ProbeResult(probe, error, after: start.duration(to: .now))
            result.delayNanoseconds = probe.due?.duration(to: start).nanoseconds
            return await exchanges.diagnose(result, probe, silent: await names.silentServers(error, of: probe))
        }
    }

    /// The same result, or that it was this host's own filter that refused, which looks as if the target had.
    private func blamingOwnFilter(_ result: ProbeResult, _ probe: Probe) async -> ProbeResult {
        let refused = await ownRefusal(result, of: probe)
        await exchanges.release(probe.id, areOwn: refused != nil)
        return refused?.blamingThisHost(result) ?? result
    }

    /// What a name server says of a name, or how this host finds it otherwise.
    func answer(to question: NameQuestion) async -> Answer {
        let answer = await names.answer(to: question)
        guard let server = await exchanges.refuser(of: question.id) else { return answer }
        let way = await exchanges.way(to: server, by: question.interface, .tcp(port: 53))
        var isOwn = false
        if way?.isLoopback == false {
            isOwn = await ownRefusals.contain(server, port: 53, by: question.interface)
        }
        await exchanges.release(question.id, areOwn: isOwn)
        return answer
    }

    private func ownRefusal(_ result: ProbeResult, of probe: Probe) async -> RefusedConnection? {
        guard let refused = RefusedConnection(result, of: probe),
            let way = await exchanges.way(to: refused.address, by: probe.interface, .tcp(port: Int(refused.port))),
            !way.isLoopback,
            await ownRefusals.contain(refused.address, port: refused.port, by: probe.interface)
        else { return nil }
        return refused
    }

    private func send(_ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]?, spent: Duration) async
        -> ProbeResult
    {
        // Where nothing had to be looked up no time is spent that libcurl could tell, and all requests are alike.
        let timeout = spent < .milliseconds(1) ? probe.timeout : max(probe.timeout - spent, .milliseconds(1))
        guard let addresses, !addresses.isEmpty, !parts.isCurls else {
            return await get(probe, parts, addresses, timeout: timeout)
        }
        let asked = await inTurn(addresses, of: probe, parts)
        switch parts.scheme {
        case "tcp":
            return await tcp.result(of: probe, at: asked, port: UInt16(parts.port ?? 0), timeout: timeout)
        case "dns":
            return await FirstAnswer.result(of: asked, within: timeout) {
                await query(probe, parts, $0, timeout: $1)
            }
        default:
            return await FirstAnswer.result(of: asked, within: timeout) {
                await echo.result(of: probe, at: $0, timeout: $1, examine)
            }
        }
    }

    /// The addresses in the order they are asked: the families in turn, so that a dead one leaves time for the other.
    /// One that nothing leads to says less than any other, and is asked only where there is nothing else.
    private func inTurn(_ addresses: [IPAddress], of probe: Probe, _ parts: URLParts) async -> [IPAddress] {
        guard addresses.count > 1 else { return addresses }
        var led: [IPAddress] = []
        for address in HappyEyeballs.order(addresses) {
            let flow: Flow =
                switch parts.scheme {
                case "tcp": .tcp(port: parts.port ?? 0)
                case "dns": .udp(port: parts.port ?? 53)
                default: .icmp(address.family)
                }
            if await exchanges.way(to: address, by: probe.interface, flow) != nil { led.append(address) }
        }
        return led.isEmpty ? addresses : led
    }

    /// The parts of a probe's URL, which was checked when the monitor started.
    private func parts(of probe: Probe) throws(ProbeFailure) -> URLParts {
        if let parts = known[probe.target.url] { return parts }
        do throws(TargetError) {
            let parts = try URLParts(probe.target.url)
            known[probe.target.url] = parts
            return parts
        } catch {
            throw ProbeFailure(.overloaded, error.description)
        }
    }

    // MARK: The interface

    /// Fails closed: what cannot leave by the interface is not sent at all.
    ///
    /// - Parameter isPlaced: Whether the target's addresses are known. An interface without a way out may lead to one
    ///   on its own link, which the kernel is asked about next.
    func checkInterface(of probe: Probe, isPlaced: Bool = false) throws(ProbeFailure) {
        guard let name = probe.interface else {
            guard let medium = probe.target.medium else { return }
            throw ProbeFailure(
                .interfaceUnusable, "there is no \(medium.rawValue) interface that traffic could leave by")
        }
        guard let interface = path.interface(named: name) else {
            let real = path.interfaces.first { $0.alternativeNames.contains(name) }?.name
            throw ProbeFailure(
                .interfaceUnusable,
                real.map { "\(name) is another name of \($0): name that one" }
                    ?? "\(name) is not an interface that traffic could leave by")
        }
        let families = probe.family.map { [$0] } ?? AddressFamily.allCases
        let mayLead = families.contains { interface[$0].isUsable || (isPlaced && interface[$0].reason == .noRoute) }
        guard !mayLead else { return }
        let why = families.compactMap { interface[$0].reason?.rawValue }.first ?? "unusable"
        throw ProbeFailure(.interfaceUnusable, "\(name) cannot carry it: \(why)")
    }

    /// The addresses that are tried: of a bound probe those with a route by its interface. A bound socket without a
    /// route still sends, and may even be answered (proxy ARP): the kernel's own table decides.
    func routed(_ addresses: [IPAddress]?, of probe: Probe) async throws(ProbeFailure) -> [IPAddress]? {
        // A name server may tell of thousands, each of which the kernel would be asked about.
        guard let addresses else { return nil }
        let tried =
            addresses.count > Self.mostTried
            ? HappyEyeballs.order(addresses).prefix(Self.mostTried) : addresses[...]
        guard let interface = probe.interface else { return Array(tried) }
        var routed: [IPAddress] = []
        for address in tried where await exchanges.hasRoute(to: address, by: interface) != false {
            routed.append(address)
        }
        guard !routed.isEmpty else {
            throw ProbeFailure(.noRoute, "there is no route to \(tried.first?.description ?? "it") over \(interface)")
        }
        return routed
    }

    func readySession() throws(RequestError) -> Session {
        if let session { return session }
        let configuration = SessionConfiguration.ofProbes(
            certificateAuthorityFile: certificateAuthorityFile, trustStores: trustStores)
        let new = try Session(configuration: configuration, loop: loop)
        session = new
        return new
    }
}
