internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import RequestEngine
internal import SystemPackage

/// Connects and closes again: a program listens there.
struct TCPProber: Sendable {
    let loop: EventLoop
    let exchanges: Exchanges

    /// Asks one address after the other until there is a connection.
    func result(
        of probe: Probe, at addresses: [IPAddress], port: UInt16, timeout: Duration
    ) async -> ProbeResult {
        let start = MonotonicTime.now
        var result = await FirstAnswer.result(of: addresses, within: timeout) { address, time in
            var result = await connect(probe, address, port, until: MonotonicTime.now.advanced(by: time))
            if result.outcome == .failure { result.failedPhase = .connect }
            result.remoteAddress = address
            return result
        }
        result.phaseNanoseconds[.connect] = start.duration(to: .now).nanoseconds
        return result
    }

    private func connect(
        _ probe: Probe, _ address: IPAddress, _ port: UInt16, until deadline: MonotonicTime
    ) async -> ProbeResult {
        do throws(Errno) {
            let socket = try ProbeSocket(address.family, type: .stream, protocol: 0)
            if let interface = probe.interface { try socket.bind(to: interface) }
            let start = MonotonicTime.now
            if let refused = refusal(socket, probe, address, port) { return refused }
            let flow = Flow.tcp(port: Int(port))
            let exchange = OpenExchange(probe.id, address, probe.interface, flow, of: exchanges)
            exchange.begin(at: start)
            // An answer that comes while connect(2) is still at it does not end the connection.
            if let told = TCPEnd.told(of: socket) { try conclude(told, exchange) }
            switch await ReadinessWait(loop: loop).outcome(socket, .writable, until: deadline) {
            case .cancelled:
                exchange.miss(.void)
                return ProbeResult(probe, .cancelled, RequestMetrics())
            case .timedOut: try conclude(TCPEnd.told(of: socket) ?? .missed(.silent, .timedOut), exchange)
            case .ready: try conclude(TCPEnd(of: socket), exchange)
            }
            return ProbeResult(probe, .success, RequestMetrics())
        } catch {
            return .failed(probe, error, "no connection to \(address) port \(port)")
        }
    }

    /// Tells whether the host was heard, and throws where there is no connection.
    private func conclude(_ end: TCPEnd, _ exchange: OpenExchange) throws(Errno) {
        switch end {
        case .heard(nil): exchange.hear()
        case .heard(let failure?):
            exchange.refuse()
            throw failure
        case .missed(let miss, let failure):
            exchange.miss(miss)
            throw failure
        }
    }

    /// Begins to connect. What the kernel refuses at once is no refusal to bind: a filter of this host's own says so.
    private func refusal(
        _ socket: ProbeSocket, _ probe: Probe, _ address: IPAddress, _ port: UInt16
    ) -> ProbeResult? {
        do throws(Errno) {
            try socket.connect(to: address, port: port)
            return nil
        } catch {
            var result = ProbeResult.failed(probe, error, "no connection to \(address) port \(port)")
            if result.reason == .bindingRefused { result.reason = .unreachable }
            return result.naming(error, lacksSource: ProbeSocket.lacksSource(to: address, by: probe.interface))
        }
    }
}
