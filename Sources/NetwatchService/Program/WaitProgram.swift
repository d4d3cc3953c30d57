#if Service
package import Connectivity
package import EventLoop
import Reachability

/// `netwatch wait`: ends as soon as a state is reached, or when the time is over.
package struct WaitProgram: Sendable {
    private let configuration: ConnectivityConfiguration
    private let condition: WaitCondition
    private let limit: Duration

    package init(configuration: ConnectivityConfiguration, condition: WaitCondition, limit: Duration) {
        self.configuration = configuration
        self.condition = condition
        self.limit = limit
    }

    /// - Returns: The exit status, and a sentence that says what is still missing.
    package func run(on loop: EventLoop) async throws -> (status: ExitStatus, text: String) {
        let monitor = ConnectivityMonitor(configuration: configuration, loop: loop)
        try await monitor.start()
        let reached = await monitor.wait(for: condition, timeout: limit)
        let event = reached ?? monitor.current
        await monitor.stop()
        return (reached == nil ? missed(event) : .success, text(event))
    }

    private func missed(_ event: Event) -> ExitStatus {
        if event.reachability == .unknown { return .undecided }
        if event.connectivity == .portal { return .portal }
        return event.reachability.isReachable ? .degraded : .noPath
    }

    private func text(_ event: Event) -> String {
        let missing = Shortfall.words(event).map { "; \($0)" }.joined()
        let verdict = "\(Verdict.way(event)): \(Verdict.meaning(event))\(missing)"
        guard case .target(let name) = condition, let health = event.targets.first(where: { $0.target == name }) else {
            return verdict
        }
        let why = [health.reason?.rawValue, health.evidence].compactMap { $0 }.joined(separator: ", ")
        let status = "\(DisplayText.safe(name)) is \(health.status.rawValue)"
        return "\(status)\(why.isEmpty ? "" : " (\(DisplayText.safe(why)))"); \(verdict)"
    }
}
#endif
