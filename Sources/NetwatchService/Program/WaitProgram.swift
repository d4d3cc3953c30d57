#if Service
package import Connectivity
package import EventLoop
import Reachability

/// `netwatch wait`: ends as soon as a state is reached, or when the time is over.
package struct WaitProgram: Sendable {
    /// What is waited for.
    package enum Goal: String, Hashable, Sendable, CaseIterable {
        /// Everything that was asked for answers.
        case full
        /// There is a path, whatever answers.
        case path
        case ethernet
        case wifi
        case wwan
    }

    private let configuration: ConnectivityConfiguration
    private let goal: Goal
    private let limit: Duration

    package init(configuration: ConnectivityConfiguration, goal: Goal, limit: Duration) {
        self.configuration = configuration
        self.goal = goal
        self.limit = limit
    }

    /// - Returns: The exit status, and a sentence that says what is still missing.
    package func run(on loop: EventLoop) async throws -> (status: ExitStatus, text: String) {
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        try await monitor.start()
        let timer = Task(executorPreference: loop) {
            try await loop.sleep(for: limit)
            await monitor.stop()
        }
        defer { timer.cancel() }
        var latest = monitor.current
        for await event in monitor.events {
            latest = event
            if isReached(event) { break }
        }
        await monitor.stop()
        return (status(latest), "\(Verdict.way(latest)): \(Verdict.meaning(latest))")
    }

    private func isReached(_ event: Event) -> Bool {
        switch goal {
        case .full: event.connectivity == .full
        case .path: event.reachability.isReachable
        case .ethernet, .wifi, .wwan: event.reachability.rawValue == goal.rawValue
        }
    }

    private func status(_ event: Event) -> ExitStatus {
        if isReached(event) { return .success }
        if event.reachability == .unknown { return .undecided }
        if event.connectivity == .portal { return .portal }
        return event.reachability.isReachable ? .degraded : .noPath
    }
}
#endif
