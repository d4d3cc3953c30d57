internal import EventLoop
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// Judges anew and publishes what has changed, whatever that is: until the next event a snapshot says what this one did.
    mutating func publish(_ origin: Origin, at now: Instant, _ output: inout Output) {
        judgeLanes(at: now)
        let judged = damped(currentJudgement, at: now)
        if judged.status != judgement.status {
            since = now.monotonic
            portals.ask(at: now.monotonic)
        }
        judgement = judged
        let targets = unsettled == nil ? examineTargets(at: now) : []
        guard path.status != .unknown || published != nil else { return }
        var event = bareEvent(.snapshot, at: now)
        let isWhole = published == nil || (isReconfigured && unsettled == nil)
        if isWhole { tellAll(in: &event) } else { tellChanges(of: targets, in: &event) }
        guard isWhole || event.kind != .snapshot else { return }
        lastSequence += 1
        event.seq = lastSequence
        event.cause = origin.cause
        event.resync = origin.isResync
        event.latencyNanoseconds = now.monotonic.nanoseconds - min(origin.time.nanoseconds, now.monotonic.nanoseconds)
        published = SharedEvent(event)
        output.told = published
    }

    /// The state as it is, numbered as the last event.
    func snapshot(at now: Instant) -> Event {
        guard unsettled == nil else { return settled(at: now).snapshot(at: now) }
        var event = bareEvent(.snapshot, at: now.following(published?.event))
        tellEverything(in: &event)
        return event
    }

    // MARK: What an event tells

    /// The verdict, the path and the uplinks, without the targets.
    private func bareEvent(_ kind: Event.Kind, at now: Instant) -> Event {
        var event = Event(
            seq: lastSequence, kind: kind, time: now.wall, monotonic: now.monotonic.nanoseconds, from: nil, to: state,
            cause: published?.event.cause ?? .start, path: path)
        event.reason = reason
        if observed.status != judgement.status { event.observed = observed.status }
        event.sinceMonotonic = since?.nanoseconds
        event.suspectMonotonic = suspectSince?.nanoseconds
        event.checkedMonotonic = lanes.compactMap(\.checkedAt).max()?.nanoseconds
        event.uplinks = uplinkVerdicts
        event.spare = spare
        if !portals.isEmpty { event.captivePortal = portal }
        event.portal = portalAddress
        return event
    }

    private func tellEverything(in event: inout Event) {
        event.changes = .all
        event.targets = health
        event.probes = checks.compactMap(\.result)
    }

    /// The first event of a run, and the one after other targets are watched.
    private mutating func tellAll(in event: inout Event) {
        tellEverything(in: &event)
        told = Published(event)
        toldStatuses = health.map(\.status)
        isReconfigured = false
    }

    /// What differs from what was told before; the kind stays `snapshot` where nothing does.
    private mutating func tellChanges(of targets: [Int], in event: inout Event) {
        guard let before = published?.event, let old = told else { return }
        let new = Published(event)
        if path != before.path { event.changes.insert(.path) }
        if new.uplinks != old.uplinks { event.changes.insert(.uplinks) }
        if new.captivePortal != old.captivePortal { event.changes.insert(.captivePortal) }
        tell(targets, in: &event)
        let kinds: [Event.Kind?] = [
            event.changes.contains(.path) ? .path : nil, targets.isEmpty && !event.othersUnknown ? nil : .target,
        ]
        let kind = new.kind(after: old)
        event.kind = (kind == .transition ? kind : kinds.compactMap { $0 }.first ?? kind) ?? .snapshot
        event.from = before.to
        told = new
    }

    /// Names the targets whose status has changed. Where many are not known any more and no other is, that is one fact.
    private mutating func tell(_ targets: [Int], in event: inout Event) {
        let forgotten = targets.count { health[$0].status == .unknown }
        let named = Set(targets)
        event.othersUnknown =
            forgetsAll
            || (forgotten > Event.mostForgotten
                && health.indices.allSatisfy { health[$0].status == .unknown || named.contains($0) })
        let own = event.othersUnknown ? targets.filter { health[$0].status != .unknown } : targets
        event.targets = own.map { health[$0] }
        event.probes = own.flatMap { checksOfTarget[$0] }.compactMap { checks[$0].result }
        if event.othersUnknown { toldStatuses = health.map { _ in .unknown } }
        for index in targets { toldStatuses[index] = health[index].status }
    }

    /// Whether what was known of thousands of targets is to be forgotten, before that is worked out for each: those of which
    /// it still holds are told after it.
    private var forgetsAll: Bool {
        guard putsOff, let work = unsettled, work.configuration == nil, !bindsTargets, !work.lanes.isEmpty else {
            return false
        }
        let forgets = work.lanes.allSatisfy { $0.change == .other || $0.isBuried || $0.hasLapsed }
        return forgets && toldStatuses.contains { $0 != .unknown }
    }

    // MARK: The portal

    /// Where a person has to go, while a portal says so.
    private var portalAddress: String? {
        guard judgement.status == .portal else { return nil }
        return portal?.userPortal ?? checks.lazy.compactMap { $0.result?.portal }.first
    }

    // MARK: The verdict

    private var state: Event.State {
        Event.State(reachability: path.status, connectivity: judgement.status, interfaces: path.interfacesInUse)
    }

    private var uplinkVerdicts: [UplinkVerdict] {
        lanes.filter { $0.key != .route }.map { lane in
            var verdict = UplinkVerdict(
                interface: lane.key.interface, family: lane.key.family, isActive: path.isActive(lane.key),
                connectivity: lane.judgement.status)
            verdict.reason = reason(of: lane)
            verdict.sinceMonotonic = lane.since
            verdict.checkedMonotonic = lane.checkedAt
            verdict.suspectMonotonic = lane.suspectSince
            return verdict
        }
    }
}

extension Cause {
    fileprivate static let start = Cause(kind: .start, description: "the monitor has started")
}

extension Path {
    /// Whether traffic that is not bound leaves this way.
    func isActive(_ lane: Lane.Key) -> Bool {
        (lane.interface == nil && (ipv4.isUsable || ipv6.isUsable))
            || (lane.family != .ipv6 && ipv4.isUsable && ipv4.interface == lane.interface)
            || (lane.family != .ipv4 && ipv6.isUsable && ipv6.interface == lane.interface)
            || isLeg(lane)
    }
}
