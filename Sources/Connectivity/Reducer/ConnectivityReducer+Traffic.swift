package import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

/// What the host's own connections say. It spares probes, makes an uplink suspect, and proves that it carries; a verdict
/// never becomes better by it, because a portal also answers to TCP.
extension ConnectivityReducer {
    /// How often connections are looked at for the sake of probes that fail, where many do, and of what falls due.
    private static let (pauseOfFailures, pause) = (Duration.milliseconds(100), Duration.seconds(1))

    // MARK: When to look

    /// Whether the kernel is to be asked for its connections before this input is taken in.
    package func wantsTraffic(before input: Input, at now: MonotonicTime) -> Bool {
        guard configuration.traffic != nil, path.status.isReachable else { return false }
        if let due = trafficDue, due <= now { return true }
        switch input {
        case .ended(_, let result) where result.outcome == .failure:
            return !isSampled(within: Self.pauseOfFailures, at: now)
        case .timer: return !isSampled(within: Self.pause, at: now)
        default: return false
        }
    }

    private func isSampled(within time: Duration, at now: MonotonicTime) -> Bool {
        traffic.sampledAt.map { $0.advanced(by: time) > now } ?? false
    }

    /// When to look the next time, where that is asked for and there is something to lose.
    var trafficDue: MonotonicTime? {
        guard let interval = configuration.traffic?.interval, lanes.indices.contains(where: { lanes[$0].isWatchable })
        else { return nil }
        return traffic.turnedAt?.advanced(by: interval) ?? MonotonicTime(nanoseconds: 0)
    }

    /// The time to look has passed, whether a look was taken or not: it does not come at once again.
    mutating func turnTraffic(at now: Instant) {
        if let due = trafficDue, due <= now.monotonic { traffic.turnedAt = now.monotonic }
    }

    // MARK: What it says

    mutating func take(_ evidence: [TrafficEvidence], at now: Instant, _ output: inout Output) -> Origin? {
        traffic.sampledAt = now.monotonic
        traffic.turnedAt = now.monotonic
        var origin: Origin?
        for lane in lanes.indices {
            for own in evidence {
                guard let way = way(of: own, in: lanes[lane]) else { continue }
                if let stall = take(own, by: way, of: lane, at: now, &output) { origin = stall }
            }
        }
        return origin
    }

    /// The way of a lane that connections leave by.
    private func way(of evidence: TrafficEvidence, in lane: Lane) -> Way? {
        lane.network.ways.first {
            $0.reachesAll && $0.way.interface == evidence.interface && $0.way.family == evidence.family
        }?.way
    }

    private mutating func take(
        _ evidence: TrafficEvidence, by way: Way, of lane: Int, at now: Instant, _ output: inout Output
    ) -> Origin? {
        guard let since = evidence.stalledSince else {
            if let heard = evidence.heard {
                lanes[lane].trafficHeard = max(lanes[lane].trafficHeard ?? heard, heard)
                // When that was asked for is not told; it was a little before.
                feed(.trafficHeard(way, sentAt: heard.advanced(by: .zero - Self.pause)), to: lane, at: now, &output)
            }
            return nil
        }
        guard lanes[lane].isWatchable, lanes[lane].stalls.isCredible(since: since, at: now.monotonic) else {
            return nil
        }
        let wasDoubted = lanes[lane].stalledSince != nil
        feed(.trafficSilent(way, since: since), to: lane, at: now, &output)
        guard !wasDoubted, lanes[lane].assessor.suspectSince != nil else { return nil }
        lanes[lane].stalledSince = since
        return Origin(.cause(Cause(stall: evidence, at: now.monotonic)), time: now.monotonic)
    }

    // MARK: Telling

    /// Since when connections over a way that traffic leaves by wait in vain.
    var suspectSince: MonotonicTime? {
        var first: MonotonicTime?
        // By their places: a copy of a lane costs more than all that is looked at.
        for lane in lanes.indices {
            guard let since = lanes[lane].stalledSince, lanes[lane].isWatchable, path.isActive(lanes[lane].key),
                lanes[lane].assessor.suspectSince != nil
            else { continue }
            first = min(first ?? since, since)
        }
        return first
    }
}

extension Lane {
    /// Whether it is thought to work, so that there is something to lose.
    var isWatchable: Bool { !isCaptive && (judgement.status == .full || judgement.status == .limited) }
}

/// Suspicions that came to nothing, each of which has the next one wait longer.
struct Stalls: Sendable {
    private var refuted = 0
    private var refutedAt: MonotonicTime?
    private var wait = Duration.zero
    private var limit = Duration.zero

    /// Notes that something was heard after all.
    mutating func refute(at now: MonotonicTime, pause: Duration, limit: Duration) {
        if let refutedAt, refutedAt.advanced(by: limit * 2) <= now { refuted = 0 }
        wait = min(pause * (1 << min(refuted, 20)), limit)
        (refuted, refutedAt, self.limit) = (refuted + 1, now, limit)
    }

    /// Whether a stall is to be believed: one that began after the last that came to nothing, and not too soon after it.
    func isCredible(since: MonotonicTime, at now: MonotonicTime) -> Bool {
        guard let refutedAt else { return true }
        return since > refutedAt && refutedAt.advanced(by: wait) <= now
    }
}

/// When connections were looked at.
struct TrafficWatch: Sendable {
    /// When what was seen was seen.
    var sampledAt: MonotonicTime?
    /// When it was last the time to look, whether a look was taken or not.
    var turnedAt: MonotonicTime?
    /// The loss for which the other uplinks were last asked.
    var doubtedAt: MonotonicTime?
}
