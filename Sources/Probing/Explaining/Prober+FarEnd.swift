internal import Connectivity
internal import EventLoop
internal import Netlink
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import SystemPackage

/// The probe itself and, where it fails, what can be asked about that.
extension Prober {
    /// Sends the probe and, where it fails, asks what can be asked about that.
    func askFarEnd(
        _ facts: inout ExplanationFacts, _ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress],
        until deadline: MonotonicTime
    ) async {
        let probe = probe.ending(at: deadline)
        let port = facts.connectPort
        async let passes = passesInSmallPackets(probe, parts, addresses, after: probe.timeout / 3)
        async let dropped = segmentsDroppedHere(
            to: parts.isConnection ? addresses : [], port: port, probe, after: probe.timeout / 3)
        let result = await result(of: probe, at: addresses)
        facts.result = result
        if result.outcome == .success, probe.target.eachAddress, IPAddress(parts.host) == nil {
            facts.eachAddress = await resultOfEachAddress(probe.ending(at: deadline), parts).addresses
        } else if result.outcome == .success {
            facts.otherFamily = await otherFamily(result, probe.ending(at: deadline), addresses)
        } else if result.reason?.isOfTheConnection == true, result.statusCode == nil {
            await askFilter(&facts, probe, parts, result.remoteAddress ?? addresses.first)
            if result.reason == .connectTimeout, facts.refusal == nil { facts.segmentsDroppedHere = await dropped }
            facts.isProxyListening = await isProxyListening(probe, addresses)
        } else if result.reason == .overloaded {
            facts.portShortage = portShortage(to: result.remoteAddress ?? addresses.first, port: port, probe)
        } else if result.reason == .timeout {
            facts.smallPacketsPass = await passes
        } else if result.reason == .certificateExpired || result.reason == .certificateNotYetValid {
            facts.serverTime = await serverTime(probe, parts, addresses)
        } else if result.reason == .bindingRefused, probe.interface == nil {
            // Nothing was to be bound: a filter has said so to an echo request.
            facts.refusal = .notPermitted
        } else if result.mayLackCertificate {
            facts.wantsClientCertificate = await wantsClientCertificate(probe, parts, addresses)
        }
    }

    /// Whether this host itself is what refuses: its filter, or a lack of ports.
    private func askFilter(
        _ facts: inout ExplanationFacts, _ probe: Probe, _ parts: URLParts, _ address: IPAddress?
    ) async {
        let port = facts.connectPort
        facts.refusal = refusal(of: address, port: Int(port), probe)
        guard facts.refusal == nil, parts.isConnection, let address else { return }
        if connectFailure(.stream, address, port, probe) == .notPermitted { facts.refusal = .notPermitted }
        facts.portShortage = portShortage(to: address, port: port, probe)
        guard facts.portShortage == nil, facts.result?.reason != .connectTimeout, !facts.isLocal else { return }
        facts.isRefusedHere = await isRefusedHere(address, port: port, probe)
    }

    /// One family may hide that the other is dead: connections fall back to it.
    private func otherFamily(_ result: ProbeResult, _ probe: Probe, _ addresses: [IPAddress]) async -> ProbeResult? {
        guard probe.family == nil, let used = result.remoteAddress?.family else { return nil }
        let others = addresses.filter { $0.family != used && path[$0.family].isUsable }
        guard let family = others.first?.family else { return nil }
        var other = probe
        other.family = family
        return await self.result(of: other, at: others)
    }
}

extension Probe {
    /// The same with what is left of the time.
    fileprivate func ending(at deadline: MonotonicTime) -> Probe {
        var probe = self
        // In whole milliseconds, as people read it.
        let rest = MonotonicTime.now.duration(to: deadline).nanoseconds / 1_000_000
        probe.timeout = .milliseconds(max(Int64(rest), 50))
        return probe
    }
}

extension ConnectivityReason {
    /// Whether a filter of this host's own could be behind it.
    fileprivate var isOfTheConnection: Bool {
        [.connectTimeout, .unreachable, .proxyRefused, .connectionRefused].contains(self)
    }
}

extension ExplanationFacts {
    /// Whether the subject is an address of this host's own.
    fileprivate var isLocal: Bool {
        guard case .route(let match, _)? = route else { return false }
        return match.type == .local
    }
}

extension URLParts {
    /// Whether it is reached by a TCP connection.
    fileprivate var isConnection: Bool { isCurls || scheme == "tcp" }
}
