internal import EventLoop
internal import Reachability

extension ConnectivityReducer {
    /// Makes the checks the configuration asks for, and keeps those that were there before as they are.
    mutating func makeChecks() {
        let old = Dictionary(checks.map { ($0.target, $0) }) { first, _ in first }
        let targets = configuration.probesEnabled ? configuration.targets : []
        checks = targets.map { old[$0] ?? Check(target: $0) }
        tally = Tally()
        checks.forEach { tally.add($0) }
    }

    mutating func configure(_ new: ConnectivityConfiguration, at now: Instant, _ output: inout Output) -> Origin {
        configuration = new
        cancelProbes(&output)
        makeChecks()
        if path.status.isReachable { planAll(at: now.monotonic) }
        return Origin(
            cause: Cause(kind: .request, description: "the configuration was changed"), time: now.monotonic)
    }
}
