internal import EventLoop
internal import Reachability

/// Events made of others.
extension Event {
    /// This event in the place of earlier ones that no reader has taken: it leads from where they began, and tells all that they
    /// told and that still holds.
    package func standing(for earlier: [Event]) -> Event {
        guard let first = earlier.first else { return self }
        var event = self
        let all = earlier + [self]
        event.kind = Kind.byWeight.first { kind in all.contains { $0.kind == kind } } ?? kind
        // A result has changed nothing: what it says is where they began.
        event.from = first.kind == .result ? first.to : first.from
        event.resync = all.contains(where: \.resync)
        event.skipped = skipped + earlier.reduce(UInt64(earlier.count)) { $0 + $1.skipped }
        event.changes = all.reduce([]) { $0.union($1.changes) }
        event.tellTargets(of: all)
        return event
    }

    /// What each of them said of a target last, in the order in which the targets were named first.
    private mutating func tellTargets(of all: [Event]) {
        // Of results nothing is left but the latest.
        guard kind != .result else { return }
        var told = ToldTargets()
        for event in all where event.kind != .result { told.add(event) }
        othersUnknown = kind != .snapshot && told.others == .unknown
        othersUp = kind != .snapshot && told.others == .up
        targets = told.targets
        probes = told.probes
    }

    /// The end of a probe after this event, before anything follows from it.
    package func result(_ result: ProbeResult, at now: Instant) -> Event {
        var event = Event(
            seq: seq, kind: .result, time: now.wall, monotonic: now.monotonic.nanoseconds, from: nil, to: to,
            cause: Cause(probe: result), path: path)
        event.observed = observed
        event.reason = reason
        event.blame = blame
        event.portal = portal
        event.captivePortal = captivePortal
        event.latencyNanoseconds =
            now.monotonic.nanoseconds - min(result.endMonotonic.nanoseconds, now.monotonic.nanoseconds)
        event.sinceMonotonic = sinceMonotonic
        event.suspectMonotonic = suspectMonotonic
        event.checkedMonotonic = result.endMonotonic.nanoseconds
        event.uplinks = uplinks
        event.spare = spare
        event.probes = [result]
        return event
    }

    /// This event with all targets and their latest results, as the state tells them.
    package func withTargets(of state: Event) -> Event {
        var event = self
        event.targets = state.targets
        event.probes = state.probes
        return event
    }
}

extension Event.Kind {
    /// What tells more comes first.
    fileprivate static let byWeight: [Event.Kind] = [.snapshot, .transition, .path, .target, .uplink, .portal, .result]
}

/// What several events in a row come to for the targets.
private struct ToldTargets {
    private(set) var targets: [TargetHealth] = []
    /// What all are that are not named; nil for what they were.
    private(set) var others: TargetHealth.Status?
    private var places: [String: Int] = [:]
    private var results: [String: [ProbeResult]] = [:]

    var probes: [ProbeResult] { targets.flatMap { results[$0.target] ?? [] } }

    mutating func add(_ event: Event) {
        let isWhole = event.kind == .snapshot
        if isWhole { self = ToldTargets() }
        if event.othersUnknown { forget(as: .unknown) }
        if event.othersUp { forget(as: .up) }
        for health in event.targets {
            if let place = places[health.target] {
                targets[place] = health
            } else {
                places[health.target] = targets.count
                targets.append(health)
            }
            results[health.target] = []
        }
        for probe in event.probes { results[probe.target]?.append(probe) }
    }

    private mutating func forget(as status: TargetHealth.Status) {
        others = status
        targets = targets.map { TargetHealth(target: $0.target, status: status) }
        results = [:]
    }
}
