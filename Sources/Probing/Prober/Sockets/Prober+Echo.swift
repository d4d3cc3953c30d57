internal import Connectivity
internal import Echo
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import RequestEngine
internal import SystemPackage

extension Prober {
    /// Sends one ICMP echo request. Where the kernel forbids this user to, the target says nothing.
    func echo(_ probe: Probe, _ address: IPAddress, timeout: Duration) async -> ProbeResult {
        let start = MonotonicTime.now
        let exchange = OpenExchange(probe.id, address, probe.interface, .icmp(address.family), of: self)
        var result: ProbeResult
        do throws(EchoError) {
            let reply = try await pinger.echo(to: address, interface: probe.interface, timeout: timeout) { step in
                switch step {
                case .sent: exchange.begin(at: start)
                case .returned: exchange.hear()
                }
            }
            exchange.hear()
            result = ProbeResult(probe, .success, RequestMetrics())
            result.phaseNanoseconds[.processing] = reply.roundTrip.nanoseconds
        } catch {
            exchange.miss(Miss(error))
            result = ProbeResult(probe, error)
            result.phaseNanoseconds[.connect] = start.duration(to: .now).nanoseconds
        }
        result.remoteAddress = address
        return result
    }
}

extension Miss {
    fileprivate init(_ error: EchoError) {
        self =
            switch error {
            case .timedOut: .silent
            case .unreachable: .told
            case .notPermitted, .interfaceRefused, .socket, .tooManyRequests, .cancelled: .void
            }
    }
}

extension ProbeResult {
    fileprivate init(_ probe: Probe, _ error: EchoError) {
        self.init(probe, Outcome(error), RequestMetrics())
        failure = error.description
        if error == .notPermitted { reason = .notPermitted }
        guard outcome == .failure else { return }
        // Nothing has come back: the later phases would say that the host is there.
        failedPhase = .connect
        reason =
            switch error {
            // The word of a route that prohibits; a filter's is EPERM.
            case .unreachable(_, .permissionDenied): .unreachable
            case .interfaceRefused(_, let errno), .unreachable(_, let errno): ConnectivityReason(socket: errno)
            case .timedOut: ConnectivityReason(socket: .timedOut)
            case .socket, .tooManyRequests, .notPermitted, .cancelled: .overloaded
            }
    }
}

extension ProbeResult.Outcome {
    fileprivate init(_ error: EchoError) {
        switch error {
        case .notPermitted: self = .skipped
        case .cancelled: self = .cancelled
        case .interfaceRefused, .unreachable, .timedOut, .socket, .tooManyRequests: self = .failure
        }
    }
}
