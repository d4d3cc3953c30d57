internal import EventLoop
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// Judges anew and publishes what has changed.
    mutating func publish(_ origin: Origin, at now: Instant, _ output: inout Output) {
        let hasNewVerdict = judgeLanes(at: now)
        let hasUplinkNews = hasTrafficNews() || hasNewVerdict
        let judged = damped(currentJudgement, at: now)
        if judged.status != judgement.status {
            since = now.monotonic
            portals.ask(at: now.monotonic)
        }
        judgement = judged
        let targets = unsettled == nil ? examineTargets(at: now) : []
        guard path.status != .unknown || published != nil else { return }
        let state = state
        let isOtherState = state != published?.event.to
        let isOtherPortal = !isOtherState && hasMovedPortal
        let isOtherUplink = hasUplinkNews || spare != published?.event.spare || hasLostUplink
        guard isOtherState || !targets.isEmpty || isOtherUplink || isOtherPortal else { return }
        lastSequence += 1
        let kind: Event.Kind =
            published == nil
            ? .snapshot : isOtherState ? .transition : !targets.isEmpty ? .target : isOtherUplink ? .uplink : .portal
        // Taken before the call, which otherwise begins with a copy of the whole reducer.
        let (old, cause) = (published?.event.to, origin.cause)
        var event = event(kind, from: old, state, cause, about: targets, at: now)
        event.resync = origin.isResync
        event.latency = now.monotonic.nanoseconds - min(origin.time.nanoseconds, now.monotonic.nanoseconds)
        published = SharedEvent(consume event)
        output.told = published
    }

    /// The state as it is, numbered as the last event.
    func snapshot(at now: Instant) -> Event {
        guard unsettled == nil else { return settled(at: now).snapshot(at: now) }
        let cause = published?.event.cause ?? Cause(kind: .start, description: "the monitor has started")
        return event(.snapshot, from: nil, state, cause, about: [], at: now)
    }

    private func event(
        _ kind: Event.Kind, from old: Event.State?, _ state: Event.State, _ cause: Cause, about targets: [Int],
        at now: Instant
    ) -> Event {
        var event = Event(
            seq: lastSequence, kind: kind, time: now.wall, monotonic: now.monotonic.nanoseconds, from: old, to: state,
            cause: cause, path: path)
        event.reason = reason
        if observed.status != judgement.status { event.observed = observed.status }
        event.since = since?.nanoseconds
        event.suspectSince = suspectSince?.nanoseconds
        event.checkedAt = lanes.compactMap(\.checkedAt).max()?.nanoseconds
        event.uplinks = uplinkVerdicts
        event.spare = spare
        if kind == .snapshot || !putsOff {
            event.targets = health
            event.probes = checks.compactMap(\.result)
        } else {
            tell(targets.prefix(Event.mostTargets), in: &event)
        }
        if !portals.isEmpty { event.captivePortal = portal }
        event.portal = portalAddress
        return event
    }

    /// Whether something was told of an uplink that is not there any more.
    private var hasLostUplink: Bool {
        (published?.event.uplinks ?? []).contains { told in
            let key = Lane.Key(interface: told.interface, family: told.family)
            return told.connectivity != .unknown && !lanes.contains { $0.key == key }
        }
    }

    /// Where a person has to go, while a portal says so.
    private var portalAddress: String? {
        guard judgement.status == .portal else { return nil }
        return portal?.userPortal ?? checks.lazy.compactMap { $0.result?.portal }.first
    }

    /// Whether that is another place than was told last. What differs in the query alone is the same place: many portals
    /// make up another one for each request.
    private var hasMovedPortal: Bool {
        guard let address = portalAddress else { return false }
        return Self.place(address) != published?.event.portal.map(Self.place)
    }

    private static func place(_ address: String) -> Substring {
        address.prefix { $0 != "?" && $0 != "#" }
    }

    /// Where there are too many targets to tell them all with each change, those are told that changed.
    private func tell(_ targets: some Collection<Int>, in event: inout Event) {
        event.targets = targets.map { health[$0] }
        event.probes = targets.flatMap { checksOfTarget[$0] }.compactMap { checks[$0].result }
        event.omittedTargets = health.count - targets.count
    }

    private var state: Event.State {
        Event.State(reachability: path.status, connectivity: judgement.status, interfaces: path.interfacesInUse)
    }

    private var uplinkVerdicts: [UplinkVerdict] {
        lanes.filter { $0.key != .route }.map { lane in
            var verdict = UplinkVerdict(
                interface: lane.key.interface, family: lane.key.family, isActive: path.isActive(lane.key),
                connectivity: lane.judgement.status)
            verdict.reason = reason(of: lane)
            verdict.since = lane.since
            verdict.checkedAt = lane.checkedAt
            verdict.suspectSince = lane.suspectSince
            return verdict
        }
    }
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
