import EventLoop
import Evidence
import NetworkAddress
import Reachability
import Resolver
import Synchronization
import TestSupport
import Testing

@testable import Connectivity
@testable import Probing

/// Runs probes, touches and look-ups in a namespace, and keeps what is told of them.
final class ReportReader: Sendable {
    let runner: ProbeRunner
    private let reports: Reports
    private let nextID = Mutex<Probe.ID>(1)

    private final class Reports: Sendable {
        let all = Mutex<[ProbeReport]>([])
    }

    init(
        on loop: EventLoop, configuration: ConnectivityConfiguration = ConnectivityConfiguration(),
        names: NameFiles = NameFiles()
    ) async throws {
        let reports = Reports()
        self.reports = reports
        runner = ProbeRunner(loop: loop, configuration: configuration, names: names) { new in
            reports.all.withLock { $0 += new }
        }
        try await usePresentPath(loop)
    }

    func usePresentPath(_ loop: EventLoop) async throws {
        let monitor = PathMonitor(loop: loop)
        let path = try await monitor.start()
        await monitor.stop()
        await runner.use(path)
    }

    /// What is told of a probe, to its end.
    func reports(
        of target: Target, interface: String? = nil, addresses: [IPAddress]? = nil, timeout: Duration = .seconds(20)
    ) async throws -> [ProbeReport] {
        var probe = Probe(id: makeID(), target: target, interface: interface, timeout: timeout)
        probe.addresses = addresses
        await runner.start([probe])
        return try await reports(of: probe.id)
    }

    func reports(
        of url: String, interface: String? = nil, addresses: [IPAddress]? = nil, timeout: Duration = .seconds(20)
    ) async throws -> [ProbeReport] {
        try await reports(of: Target(url), interface: interface, addresses: addresses, timeout: timeout)
    }

    func touch(_ host: Host, port: UInt16? = nil, isBound: Bool = false, timeout: Duration = .seconds(20)) async throws
        -> [ProbeReport]
    {
        let touch = Touch(id: makeID(), host: host, port: port, isBound: isBound, timeout: timeout)
        await runner.touch([touch])
        return try await reports(of: touch.id)
    }

    func lookUp(_ name: String, at server: String? = nil, interface: String? = nil, timeout: Duration = .seconds(20))
        async throws -> [ProbeReport]
    {
        let question = NameQuestion(
            id: makeID(), name: name, server: server.flatMap { IPAddress($0) }, interface: interface, timeout: timeout)
        await runner.lookUp([question])
        return try await reports(of: question.id)
    }

    private func makeID() -> Probe.ID {
        nextID.withLock { id in
            defer { id += 1 }
            return id
        }
    }

    private func reports(of id: Probe.ID) async throws -> [ProbeReport] {
        try await expectSoon { self.reports.all.withLock { $0.contains { $0.id == id && $0.isLast } } }
        return reports.all.withLock { $0.filter { $0.id == id } }
    }
}

extension [ProbeReport] {
    /// One word for each, to be compared with what is expected: `sent 192.0.2.1 up1 via 10.1.0.1`.
    var words: [String] {
        map { report in
            switch report {
            case .sent(_, let host):
                "sent \(host.address) \(host.way.interface)" + (host.way.gateway.map { " via \($0)" } ?? "")
            case .heard(_, let address, _): "heard \(address)"
            case .missed(_, let address, let miss): "\(miss) \(address)"
            case .ended(_, let result): "ended \(result.outcome)"
            case .answered(_, let answer): "answered \(answer)"
            }
        }
    }

    var result: ProbeResult? {
        guard case .ended(_, let result)? = last else { return nil }
        return result
    }

    var answer: Answer? {
        guard case .answered(_, let answer)? = last else { return nil }
        return answer
    }
}
