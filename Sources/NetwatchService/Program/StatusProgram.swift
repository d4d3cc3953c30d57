package import Connectivity
package import EventLoop
import Netwatch
import Reachability
import SystemPackage

/// `netwatch status`: waits for the first verdict, tells it, and ends.
package struct StatusProgram: Sendable {
    private let configuration: ConnectivityConfiguration
    private let limit: Duration?
    private let isJSON: Bool

    /// - Parameter limit: How long to wait for a verdict; nil for as long as the probes may take.
    package init(configuration: ConnectivityConfiguration, limit: Duration?, isJSON: Bool) {
        self.configuration = configuration
        self.limit = limit
        self.isJSON = isJSON
    }

    /// - Returns: What the verdict means as an exit status.
    package func run(on loop: EventLoop) async throws -> ExitStatus {
        let output = try LineOutput(.standardOutput, name: "standard output", loop: loop)
        let event = try await verdict(loop)
        let line = isJSON ? event.jsonLine : Array(VerdictWords.status(event).utf8)
        try await output.writeAnswer(line)
        return ExitStatus(event, isProbed: configuration.probesEnabled)
    }

    /// The first event that says something, or the last one before the time is over.
    private func verdict(_ loop: EventLoop) async throws -> Event {
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        try await monitor.start()
        let limit = Task(executorPreference: loop) {
            try await loop.sleep(for: patience)
            await monitor.stop()
        }
        defer { limit.cancel() }
        var latest = monitor.current
        for await _ in monitor.events {
            // All of the state, and not only what the event is about; after a stop nothing is known any more.
            let state = monitor.current
            if state.reachability != .unknown { latest = state }
            if isDecided(latest) { break }
        }
        await monitor.stop()
        return latest
    }

    /// A probe may fail twice before its target is called down, and a target may have a time of its own for that.
    private var patience: Duration {
        if let limit { return limit }
        guard configuration.probesEnabled else { return .seconds(5) }
        let timeouts = configuration.targets.map { $0.timeout ?? configuration.timeout }
        return ((timeouts.max() ?? configuration.timeout) + Self.pause) * 2
    }

    /// How far apart failures are sent that count.
    private static let pause = Duration.seconds(1)

    private func isDecided(_ event: Event) -> Bool {
        guard event.reachability != .unknown else { return false }
        return !configuration.probesEnabled || !event.reachability.isReachable || event.connectivity != .unknown
            || Answers(event).isNoneAskable
    }
}
