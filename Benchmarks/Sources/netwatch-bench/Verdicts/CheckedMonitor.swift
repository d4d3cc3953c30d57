import Foundation
import Netwatch

/// A monitor of one server that says what it makes of it after each check.
struct CheckedMonitor {
    private let monitor: ConnectivityMonitor

    init(checking url: String) async throws {
        let target = try Target(url, expectation: .body("success"))
        var configuration = ConnectivityConfiguration(targets: [target])
        // None but the probes that are asked for.
        configuration.interval = .seconds(3600)
        configuration.retryDelay = .seconds(3600)
        configuration.fall = 1
        monitor = ConnectivityMonitor(configuration: configuration)
        try await monitor.start()
    }

    /// The verdict of a check of now, with its reason where there is one.
    func check() async throws -> String {
        // A probe that the start or another path had sent by itself is no answer to this.
        try waitForAll("the end of an earlier probe")
        let before = monitor.statistics.probes
        await monitor.check()
        while monitor.statistics.probes == before { usleep(100) }
        try waitForAll("the result of a check")
        let event = monitor.current
        return event.reason.map { "\(event.connectivity) (\($0.rawValue))" } ?? event.connectivity.rawValue
    }

    func stop() async {
        await monitor.stop()
    }

    /// Waits until every probe that was started has ended.
    private func waitForAll(_ what: String) throws {
        for _ in 0..<100_000 {
            let statistics = monitor.statistics
            let ended = statistics.results.values.reduce(0, +) + statistics.cancelledProbes
            if ended >= statistics.probes { return }
            usleep(100)
        }
        throw BenchmarkError.silent("the monitor", waitedFor: what)
    }
}
