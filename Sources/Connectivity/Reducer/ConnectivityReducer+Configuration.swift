internal import EventLoop
internal import Reachability

extension ConnectivityReducer {
    mutating func configure(_ new: ConnectivityConfiguration, at now: Instant, _ output: inout Output) -> Origin {
        configuration = new
        damping = FlapDamping(new.damping ?? FlapDamping.Configuration())
        makeHealth()
        remakeLanes(at: now, &output)
        request(at: now)
        return Origin(
            .cause(Cause(kind: .request, description: "the configuration was changed")), time: now.monotonic)
    }

    /// Makes room for what is known of each target, and keeps what was known before.
    mutating func makeHealth() {
        let old = Dictionary(health.map { ($0.target, $0) }) { first, _ in first }
        let targets = configuration.probesEnabled ? configuration.targets : []
        bindsToMedia = targets.contains { $0.medium != nil }
        (untold, unexamined) = ([], 0..<0)
        health = targets.map { old[$0.name] ?? TargetHealth(target: $0.name, status: .unknown) }
    }
}
