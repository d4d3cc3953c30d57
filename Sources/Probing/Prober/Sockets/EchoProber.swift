internal import Connectivity
internal import Echo
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import RequestEngine
internal import SystemPackage

/// Probes with an ICMP echo request.
struct EchoProber: Sendable {
    let pinger: Pinger
    let exchanges: Exchanges

    /// Sends one. Where the kernel forbids this user to, the target says nothing.
    ///
    /// - Parameter examine: Takes the reply's hop limit.
    func result(
        of probe: Probe, at address: IPAddress, timeout: Duration,
        _ examine: (@Sendable (Probe.ID, ProbeDetail) -> Void)?
    ) async -> ProbeResult {
        let start = MonotonicTime.now
        let exchange = OpenExchange(probe.id, address, probe.interface, .icmp(address.family), of: exchanges)
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
            if let hopLimit = reply.hopLimit { examine?(probe.id, .hopLimit(hopLimit)) }
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
    init(_ error: EchoError) {
        self =
            switch error {
            case .timedOut: .silent
            case .unreachable: .told
            case .notPermitted, .interfaceRefused, .socket, .tooManyRequests, .cancelled: .void
            }
    }
}
