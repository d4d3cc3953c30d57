internal import EventLoop
internal import NetworkAddress
internal import Reachability

/// What the host's own connections say. It spares probes, makes an uplink suspect, and is a witness where the references are
/// gone; a verdict never becomes better by it, because a portal also answers to TCP.
extension ConnectivityReducer {
    /// How often connections are looked at for the sake of probes that fail, where many do.
    private static let pause = Duration.milliseconds(100)

    // MARK: When to look

    /// Whether the kernel is to be asked for its connections before this input is taken in.
    func wantsTraffic(before input: Input, at now: MonotonicTime) -> Bool {
        guard configuration.traffic != nil, path.status.isReachable, unsettled == nil else { return false }
        if let due = trafficDue, due <= now { return true }
        if let result = awaited(input), result.outcome == .failure, isWatched(result, of: input) {
            return traffic.sampledAt.map { $0.advanced(by: Self.pause) <= now } ?? true
        }
        guard let next = agenda.first, next.due <= now else { return false }
        return isRecheck(next) && !isSampled(since: next.due)
    }

    private func isWatched(_ result: ProbeResult, of input: Input) -> Bool {
        guard case .ended(let id, _) = input, let index = inFlight[id] else { return false }
        return lanes[checks[index].lane].isWatchable
    }

    /// When to look the next time, where that is asked for and there is something to lose.
    var trafficDue: MonotonicTime? {
        guard let interval = configuration.traffic?.interval, lanes.contains(where: \.isWatchable) else { return nil }
        return traffic.turnedAt?.advanced(by: interval) ?? MonotonicTime(nanoseconds: 0)
    }

    /// The time to look has passed, whether anybody looked or not: it does not come at once again.
    mutating func turnTraffic(at now: Instant) {
        if let due = trafficDue, due <= now.monotonic { traffic.turnedAt = now.monotonic }
    }

    func isSampled(since time: MonotonicTime) -> Bool {
        traffic.sampledAt.map { $0 >= time } ?? false
    }

    // MARK: What it says

    mutating func take(_ evidence: [TrafficEvidence], at now: Instant) -> Origin? {
        traffic.sampledAt = now.monotonic
        traffic.turnedAt = now.monotonic
        var origin: Origin?
        for index in lanes.indices {
            guard let evidence = joined(evidence, of: lanes[index].key) else { continue }
            lanes[index].traffic.note(evidence)
            if suspect(index, evidence, at: now) {
                origin = Origin(.cause(Cause(stall: evidence, at: now.monotonic)), time: now.monotonic)
            }
        }
        return origin
    }

    /// What is said of the uplinks that a lane's probes leave by.
    private func joined(_ evidence: [TrafficEvidence], of lane: Lane.Key) -> TrafficEvidence? {
        let own = evidence.filter { evidence in
            guard lane.family == nil || lane.family == evidence.family else { return false }
            return evidence.interface == (lane.interface ?? path[evidence.family].interface)
        }
        guard var sum = own.first else { return nil }
        own.dropFirst().forEach { sum.add($0) }
        return sum
    }

    // MARK: Suspicion

    /// Has those asked at once who can tell, where connections wait in vain. Tells whether that is news.
    private mutating func suspect(_ lane: Int, _ evidence: TrafficEvidence, at now: Instant) -> Bool {
        guard lanes[lane].isWatchable, let since = evidence.stalledSince else { return false }
        guard
            lanes[lane].traffic.suspect(
                since: since, pause: configuration.retryDelay, limit: configuration.interval, at: now.monotonic)
        else { return false }
        // The host's own connections are one that asks in vain, like a probe.
        lanes[lane].miss(.targets, isNews: false, at: now.monotonic)
        summonWitnesses(of: lane, at: now)
        proveSpares(of: lane, at: now)
        return true
    }

    /// How long a probe may take: no longer than one that answers surely would, where there is a suspicion.
    func timeout(of index: Int) -> Duration {
        let timeout = checks[index].target.timeout ?? configuration.timeout
        guard lanes[checks[index].lane].suspectSince != nil else { return timeout }
        let result = checks[index].result
        let last = result?.outcome == .success ? result?.durationNanoseconds : nil
        return min(timeout, max(.seconds(1), .nanoseconds(Int64(clamping: last ?? 0)) * 4))
    }

    // MARK: Telling

    /// Since when a way that traffic leaves by is suspected to be dead.
    var suspectSince: MonotonicTime? {
        lanes.filter { path.isActive($0.key) }.compactMap(\.suspectSince).min()
    }
}

extension Lane {
    /// Whether it is thought to work, so that there is something to lose.
    var isWatchable: Bool { !isDead && !isCaptive && (judgement.status == .full || judgement.status == .limited) }

    /// When somebody last looked, or traffic showed what he would have seen.
    var lastLook: MonotonicTime? {
        checkedAt.map { max($0, traffic.confirmedAt ?? $0) }
    }

    /// Since when it is suspected to be dead; nil where it is not, or is known to be.
    var suspectSince: MonotonicTime? { isWatchable ? traffic.suspectSince : nil }
}

/// When connections were looked at.
struct TrafficWatch: Sendable {
    /// When what was seen was seen.
    var sampledAt: MonotonicTime?
    /// When it was last the time to look, whether anybody did or not.
    var turnedAt: MonotonicTime?
    /// The check that the last look was waited for, by when it was due.
    var heldFor: MonotonicTime?
}

extension Cause {
    /// Connections that wait as the cause of what followed.
    fileprivate init(stall: TrafficEvidence, at now: MonotonicTime) {
        let milliseconds = (stall.stalledSince ?? now).duration(to: now).nanoseconds / 1_000_000
        let connections = stall.waiting == 1 ? "a connection waits" : "\(stall.waiting) connections wait"
        self.init(
            kind: .traffic,
            description: "\(connections) for an answer over \(stall.interface) since \(milliseconds) ms",
            interface: stall.interface, fields: ["waiting": "\(stall.waiting)", "family": stall.family.rawValue])
    }
}
