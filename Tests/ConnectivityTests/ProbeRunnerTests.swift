import EventLoop
import Foundation
import NetworkAddress
import Reachability
import Synchronization
import TestSupport
import Testing

@testable import Connectivity
@testable import Netwatch
@testable import Probing

@Suite("Where probes run")
struct ProbeLoadTests {
    @Test(
        "few on the monitor's own loop, many and those over TLS on loops of their own",
        arguments: [
            (10, 60.0, false, 0), (1000, 60, false, 0), (10_000, 10, false, 1), (10_000, 10, true, 3),
            (1, 0.001, true, 3), (1, 3600, true, 1),
        ])
    func loops(targets: Int, interval: Double, isSecure: Bool, expected: Int) throws {
        var configuration = ConnectivityConfiguration(
            targets: try (0..<targets).map { try Target("http\(isSecure ? "s" : "")://192.0.2.1/\($0)") })
        configuration.interval = .seconds(interval)
        #expect(ProbeLoad(configuration).loops(of: 4) == expected)
        configuration.probesEnabled = false
        #expect(ProbeLoad(configuration).loops(of: 4) == 0)
    }

    @Test("never more loops than processors")
    func most() throws {
        var configuration = ConnectivityConfiguration(
            targets: try (0..<1000).map { try Target("https://192.0.2.1/\($0)") })
        configuration.interval = .milliseconds(10)
        #expect(ProbeLoad(configuration).loops(of: 3) == 3)
    }
}

/// Hundreds of targets, with a server behind a link.
@Suite(
    "Many probes", .serialized,
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"),
    .timeLimit(.minutes(5)))
struct ManyProbesTests {
    private let client: TestNamespace
    private let upstream: Upstream
    private let loop: EventLoop

    init() throws {
        client = try TestNamespace()
        upstream = try Upstream("up1", number: 1, of: client, metric: 100)
        loop = try EventLoop(networkNamespace: client.descriptor)
    }

    private func configuration(interval: Duration) throws -> ConnectivityConfiguration {
        var configuration = ConnectivityConfiguration(
            targets: try (0..<300).map { try Target("http://\(Upstream.address)/\($0)", expectation: .noContent) })
        configuration.interval = interval
        configuration.timeout = .seconds(20)
        return configuration
    }

    @Test("loops of their own probe in the monitor's namespace, and hand all results over; none after the end")
    func shards() async throws {
        let configuration = try configuration(interval: .milliseconds(100))
        let results = Mutex<[Probe.ID: ProbeResult.Outcome]>([:])
        let runner = ProbeRunner(loop: loop, configuration: configuration) { reports in
            results.withLock { results in
                for case .ended(let id, let result) in reports { results[id] = result.outcome }
            }
        }
        let monitor = PathMonitor(loop: loop)
        await runner.use(try await monitor.start())
        #expect(await !runner.shards.isEmpty)
        let probes = configuration.targets.enumerated().map { index, target in
            Probe(id: UInt64(index), target: target, timeout: .seconds(20))
        }
        await runner.start(probes)
        try await expectSoon { results.withLock { $0.count } == 300 }
        #expect(results.withLock { $0.values.allSatisfy { $0 == .success } })
        try upstream.stopAnswering()
        await runner.start(
            probes.map { probe in
                var probe = probe
                probe.id += 1000
                return probe
            })
        await runner.cancel((1000..<1150).map { UInt64($0) })
        await runner.stop()
        #expect(results.withLock { $0.count } == 300)
        try upstream.goOnAnswering()
        await monitor.stop()
    }

    @Test(
        "never more are under way than the limit says, counted as connections that the server leaves without an answer")
    func limit() async throws {
        var configuration = try configuration(interval: .milliseconds(500))
        configuration.maximumProbesInFlight = 16
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        let reader = EventReader(monitor, limit: .seconds(60))
        try await monitor.start()
        try await reader.wait(for: .full)
        try upstream.stopAnswering()
        var most = 0
        func connections() throws -> Int {
            try client.run("ss", "-tnH", "state", "established", "dst", Upstream.address).split(separator: "\n").count
        }
        try await expectSoon {
            most = max(most, try connections())
            return most >= 16
        }
        for _ in 0..<30 { most = max(most, try connections()) }
        #expect(most == 16)
        try upstream.goOnAnswering()
        await monitor.stop()
        let statistics = monitor.statistics
        #expect(statistics.startDelay.counts.reduce(0, +) == statistics.results.values.reduce(0, +))
    }
}
