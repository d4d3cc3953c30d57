internal import Connectivity
internal import EventLoop
internal import Evidence
internal import FoundationEssentials
internal import NetworkAddress
internal import RequestEngine
internal import Resolver

extension Prober {
    /// Asks a name server for records: `dns://SERVER[:PORT]/NAME?type=TYPE`. The expected body has to match one of them,
    /// as `dig +short` prints it.
    func query(_ probe: Probe, _ parts: URLParts, _ server: IPAddress, timeout: Duration) async -> ProbeResult {
        let start = MonotonicTime.now
        let port = parts.port ?? 53
        let resolver = Resolver(
            configuration: ResolverConfiguration(
                servers: [NameServer(server, port: UInt16(port))], interface: probe.interface,
                attemptTimeout: timeout / 2, attempts: 2, timeout: timeout), loop: loop)
        let exchange = OpenExchange(probe.id, server, probe.interface, .udp(port: port), of: exchanges)
        var result: ProbeResult
        let answered = examine.map { examine in
            { @Sendable (sections: ReplySections) in examine(probe.id, .sections(sections)) }
        }
        let (outcome, word, heardAt) = await resolver.ask(
            for: parts.queryName, parts.recordType, sent: { exchange.begin() }, answered: answered)
        // The server's own time: what is asked of it beside says nothing of that.
        let took = start.duration(to: .now)
        exchange.take(word, heardAt: heardAt)
        exchange.miss(Miss(word))
        do throws(ResolverError) {
            let records = try outcome.get()
            examine?(probe.id, .records(records))
            result = ProbeResult(probe, .success, RequestMetrics())
            if let body = probe.target.expectation.body {
                let texts = records.map(\.description)
                let deadline = start.advanced(by: timeout)
                if let flaw = await examiners.flaw(of: texts, by: body, until: deadline, loop) {
                    result = ProbeResult(probe, unexpected: texts, flaw)
                }
            } else {
                result = await checkHonesty(
                    result, of: server, parts, probe, until: doubtTime.map { start.advanced(by: timeout + $0) })
            }
        } catch {
            result = ProbeResult(probe, ProbeFailure(error), after: start.duration(to: .now))
            // An answer shows that the server is there, whatever it says.
            if error.isAnswer { result.failedPhase = .processing }
            if word == .unsent, case .unreachable = error {
                result.reason = .notPermitted
                result.failure = "this host could not send the question: see its firewall and its limits"
            }
            result.phaseNanoseconds = [:]
        }
        result.phaseNanoseconds[result.failedPhase ?? .processing] = took.nanoseconds
        result.durationNanoseconds = took.nanoseconds
        result.remoteAddress = server
        return result
    }
}

extension Prober {
    /// A server that knows every name is none.
    private func checkHonesty(
        _ result: ProbeResult, of server: IPAddress, _ parts: URLParts, _ probe: Probe, until deadline: MonotonicTime?
    ) async -> ProbeResult {
        let invented = await names.inventions(
            of: [NameServer(server, port: UInt16(parts.port ?? 53))], interface: probe.interface, until: deadline)
        guard !invented.isEmpty else { return result }
        var failed = ProbeResult(probe, .failure, RequestMetrics())
        failed.failedPhase = .processing
        return failed.hijacked(invented)
    }
}

extension ResolverError {
    /// Whether a server has said so.
    fileprivate var isAnswer: Bool {
        switch self {
        case .nameNotFound, .noRecords, .serverFailed, .malformedAnswer: true
        case .invalidName, .timedOut, .unreachable, .interfaceRefused, .noServers, .setup, .cancelled: false
        }
    }
}
