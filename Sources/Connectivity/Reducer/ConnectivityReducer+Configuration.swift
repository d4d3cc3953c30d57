internal import EventLoop
internal import Reachability

extension ConnectivityReducer {
    /// Has something else watched, once there are checks for it. All of them are probed.
    mutating func configure(_ new: ConnectivityConfiguration, at now: Instant, _ output: inout Output) {
        putOff([], at: now, &output) { $0.configuration = new }
    }

    /// Has the targets that the checks were made for watched from now on.
    mutating func takeConfiguration(_ known: [TargetHealth], at now: Instant) {
        guard let new = unsettled?.configuration.take() else { return }
        configuration = new
        health = known
        damping = FlapDamping(new.damping ?? FlapDamping.Configuration())
        (untold, unexamined, dirty) = ([], 0..<0, [])
        sumUpTargets()
        portals.ask(at: now.monotonic)
        toldStatuses = known.map(\.status)
        isReconfigured = true
        for index in lanes.indices { unsettled?.lanes[index].add(LaneWork(change: .some)) }
        settledOrigin = Origin(
            .cause(Cause(kind: .request, description: "the configuration was changed")), time: now.monotonic)
    }

    /// What all targets come to.
    mutating func sumUpTargets() {
        placeOfTarget = Dictionary(zip(health.lazy.map(\.target), health.indices)) { first, _ in first }
        bindsTargets = configuration.watched.contains(where: \.isBound)
        bindsToMedia = configuration.watched.contains { $0.medium != nil }
        longestTimeout = configuration.targets.compactMap(\.timeout).reduce(configuration.timeout, max)
        longestInterval = configuration.targets.map(configuration.interval(of:)).max() ?? configuration.interval
    }
}
