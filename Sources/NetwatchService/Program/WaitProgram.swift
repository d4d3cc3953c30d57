package import Connectivity
package import EventLoop
internal import Netwatch
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
        guard event.reachability != .unknown else { return .undecided }
        guard event.reachability.isReachable else { return .noPath }
        switch condition {
        case .path, .reachability: return .degraded
        case .connectivity(let wanted):
            if event.connectivity == .portal, wanted != .portal { return .portal }
            return event.connectivity == .unknown ? .undecided : .degraded
        case .target(let name):
            if event.connectivity == .portal { return .portal }
            return isKnown(health(of: name, event)) ? .degraded : .undecided
        }
    }

    /// Whether there is something to say of a target: that it is down, or why that cannot be told.
    private func isKnown(_ health: TargetHealth?) -> Bool {
        guard let health, health.status == .unknown else { return true }
        return health.blame.map { $0 != .host } ?? false
    }

    private func health(of name: String, _ event: Event) -> TargetHealth? {
        event.targets.first { $0.target == name }
    }

    /// What was wanted, and what there is instead.
    private func text(_ event: Event) -> String {
        let missing = Shortfall.words(event).map { "; \($0)" }.joined()
        return "wanted \(wanted(event)), there is \(found(event))\(missing)"
    }

    private func found(_ event: Event) -> String {
        guard event.reachability.isReachable else {
            let reason = event.path.reason
            guard event.reachability == .none else { return "nothing known: the kernel has not answered yet" }
            return "no path" + (reason.map { " (\($0.rawValue)): \(VerdictWords.explanation($0))" } ?? "")
        }
        let way = ([VerdictWords.way(event), VerdictWords.gateways(event)].compactMap { $0 }).joined(separator: ", ")
        guard VerdictWords.isProbed(event) else { return way }
        switch condition {
        case .path, .reachability: return way
        case .connectivity, .target: return "\(event.connectivity.rawValue), \(way): \(VerdictWords.meaning(event))"
        }
    }

    private func wanted(_ event: Event) -> String {
        guard case .target(let name) = condition, let health = health(of: name, event) else {
            return condition == .path ? "a path" : DisplayText.safe(condition.description)
        }
        let safe = DisplayText.safe(name)
        let why = [health.reason?.rawValue, health.evidence].compactMap { $0 }.joined(separator: ", ")
        return "\(safe), and \(safe) is \(health.status.rawValue)\(why.isEmpty ? "" : " (\(DisplayText.safe(why)))")"
    }
}
