internal import EventLoop
internal import NetworkAddress
internal import RequestCore
internal import SystemPackage

extension Prober {
    /// Connects and closes again: somebody listens there.
    func connect(_ probe: Probe, _ addresses: [IPAddress], port: UInt16, timeout: Duration) async -> ProbeResult {
        let start = MonotonicTime.now
        let deadline = start.advanced(by: timeout)
        var result = ProbeResult(probe, .failure, RequestMetrics())
        for address in addresses where result.outcome == .failure && MonotonicTime.now < deadline {
            result = await connect(probe, address, port, until: deadline)
            result.remoteAddress = address
        }
        result.phaseNanoseconds[.connect] = start.duration(to: .now).nanoseconds
        if result.outcome == .failure { result.failedPhase = .connect }
        return result
    }

    private func connect(
        _ probe: Probe, _ address: IPAddress, _ port: UInt16, until deadline: MonotonicTime
    ) async -> ProbeResult {
        do throws(Errno) {
            let socket = try ProbeSocket(address.family, type: .stream, protocol: 0)
            if let interface = probe.interface { try socket.bind(to: interface) }
            if let refused = refusal(socket, probe, address, port) { return refused }
            switch await ReadinessWait(loop: loop).outcome(socket, .writable, until: deadline) {
            case .cancelled: return ProbeResult(probe, .cancelled, RequestMetrics())
            case .timedOut: throw .timedOut
            case .ready: if let failure = socket.failure { throw failure }
            }
            return ProbeResult(probe, .success, RequestMetrics())
        } catch {
            return .failed(probe, error, "no connection to \(address) port \(port)")
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
            return result
        }
    }
}

extension ProbeResult {
    /// A probe over a socket of its own that the kernel has an errno for.
    static func failed(_ probe: Probe, _ errno: Errno, _ what: String) -> ProbeResult {
        var result = ProbeResult(probe, .failure, RequestMetrics())
        result.failure = "\(what): \(errno)"
        result.reason = ConnectivityReason(socket: errno)
        return result
    }
}

extension CInt {
    static let stream: CInt = 1
}
