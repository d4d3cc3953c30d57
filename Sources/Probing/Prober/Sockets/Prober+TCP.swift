internal import Connectivity
internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import RequestEngine
internal import SystemPackage

extension Prober {
    /// Connects and closes again: a program listens there.
    func connect(_ probe: Probe, _ addresses: [IPAddress], port: UInt16, timeout: Duration) async -> ProbeResult {
        let start = MonotonicTime.now
        var result = await firstAnswer(of: addresses, within: timeout) { address, time in
            var result = await connect(probe, address, port, until: MonotonicTime.now.advanced(by: time))
            if result.outcome == .failure { result.failedPhase = .connect }
            result.remoteAddress = address
            return result
        }
        result.phaseNanoseconds[.connect] = start.duration(to: .now).nanoseconds
        return result
    }

    /// Asks one address of a name after the other until one answers, and tells what the last one that was asked did.
    ///
    /// As with libcurl, each has half of the time that is left while there are more to come.
    func firstAnswer(
        of addresses: [IPAddress], within timeout: Duration, _ ask: (IPAddress, Duration) async -> ProbeResult
    ) async -> ProbeResult {
        let deadline = MonotonicTime.now.advanced(by: timeout)
        var result = await ask(addresses[0], addresses.count > 1 ? timeout / 2 : timeout)
        for (place, address) in addresses.enumerated().dropFirst() where result.isWithoutAnswer {
            let left = MonotonicTime.now.duration(to: deadline)
            guard left > .zero else { break }
            result = await ask(address, place == addresses.count - 1 ? left : left / 2)
        }
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
            let departure = depart(probe.id, to: address, by: probe.interface, flow, at: start)
            // An answer that comes while connect(2) is still at it does not end the connection.
            if let told = TCPEnd.told(of: socket) { try conclude(told, departure) }
            switch await ReadinessWait(loop: loop).outcome(socket, .writable, until: deadline) {
            case .cancelled:
                tell(.void, departure)
                return ProbeResult(probe, .cancelled, RequestMetrics())
            case .timedOut: try conclude(TCPEnd.told(of: socket) ?? .missed(.silent, .timedOut), departure)
            case .ready: try conclude(TCPEnd(of: socket), departure)
            }
            return ProbeResult(probe, .success, RequestMetrics())
        } catch {
            return .failed(probe, error, "no connection to \(address) port \(port)")
        }
    }

    /// Tells whether the host was heard, and throws where there is no connection.
    private func conclude(_ end: TCPEnd, _ departure: Departure?) throws(Errno) {
        switch end {
        case .heard(let failure):
            tell(heard: departure)
            if let failure { throw failure }
        case .missed(let miss, let failure):
            tell(miss, departure)
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
