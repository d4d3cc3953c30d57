internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// Judges anew and publishes what has changed, whatever that is: until the next event a snapshot says what this one did.
    mutating func publish(_ origin: Origin?, at now: Instant, _ output: inout Output) {
        judgeLanes(at: now)
        let judged = damped(joinedJudgement, at: now)
        if judged.status != judgement.status {
            since = now.monotonic
            portals.ask(at: now.monotonic)
        }
        judgement = judged
        let isBlank = isBlank
        let forgotten = isBlank ? knownTargets : 0
        let targets = isBlank ? [] : examineTargets(at: now)
        if isBlank { (blankSince, output.isUnsettled) = (now, true) }
        let told = news
        news = News()
        guard path.status != .unknown || published != nil else { return }
        var event = bareEvent(.snapshot, at: now)
        let isWhole = published == nil || isReconfigured
        if isWhole { tellAll(in: &event) } else { tellChanges(of: targets, forgotten: forgotten, in: &event) }
        guard isWhole || event.kind != .snapshot else { return }
        lastSequence += 1
        event.seq = lastSequence
        event.cause = cause(of: origin, event, told)
        event.resync = origin?.isResync ?? false
        let began = min((origin?.time ?? now.monotonic).nanoseconds, now.monotonic.nanoseconds)
        event.latencyNanoseconds = now.monotonic.nanoseconds - began
        published = SharedEvent(event)
        output.told = published
    }

    private func cause(of origin: Origin?, _ event: Event, _ news: News) -> Cause {
        if let absence = news.absence { return .unwatched(absence) }
        let evidence = { Cause(evidenceFor: event, over: deadInterface ?? targetPlaces.onlyInterface(over: path)) }
        var cause = origin?.cause ?? evidence()
        // Connections that wait make a way suspect; what is told of it is found by asking.
        if cause.kind == .traffic, event.kind == .transition { cause = evidence() }
        if let failed = failure(behind: origin, event) ?? result(behind: origin, event) {
            cause = Cause(probe: failed, isPortal: event.connectivity == .portal)
        }
        if let words = uplinkWords(of: event) { cause = Cause(kind: .probe, description: words) }
        if let losses = news.losses { cause.description += " (the link was lost \(losses) times lately)" }
        if let flaps = news.flaps { cause.description += " (it has changed \(flaps) times lately)" }
        return cause
    }

    /// The result that an event is about, where it looks like a portal's and is not told as one.
    private func result(behind origin: Origin?, _ event: Event) -> ProbeResult? {
        guard case .probe(let last)? = origin?.source, last.outcome == .portal, event.connectivity != .portal else {
            return nil
        }
        return last
    }

    /// What has become of the uplinks that an event is about, where the verdict is as it was.
    private func uplinkWords(of event: Event) -> String? {
        guard event.kind == .uplink, let old = published?.event, event.reason == old.reason, event.blame == old.blame
        else { return nil }
        let changed = event.uplinks.filter { uplink in
            old.uplinks.first { $0.interface == uplink.interface && $0.family == uplink.family }?.connectivity
                != uplink.connectivity
        }
        return WayWords.each(changed) ?? spareWords(event, old)
    }

    /// What has become of the uplink that may stand in for those that get nowhere.
    private func spareWords(_ event: Event, _ old: Event) -> String? {
        guard event.spare != old.spare else { return nil }
        return event.spare.map { "\($0) works, and may stand in" }
            ?? old.spare.map { "it is not certain any more whether \($0) has to stand in, or could" }
    }

    /// The interface that some of what is watched leaves by, in vain, while the rest leaves by another.
    private var deadInterface: String? {
        guard judgement.status == .limited, lanes.count == 1 else { return nil }
        return lanes[0].assessor.deadInterface
    }

    /// The result of a target that the event tells to be down, where the good answer of another has only ended the waiting.
    private func failure(behind origin: Origin?, _ event: Event) -> ProbeResult? {
        guard case .probe(let last)? = origin?.source, last.outcome == .success,
            !event.targets.contains(where: { $0.status == .up }),
            let down = event.targets.first(where: { $0.status == .down })
        else { return nil }
        return event.probes.first { $0.target == down.target && $0.outcome != .success }
    }

    /// The state as it is, numbered as the last event.
    package func snapshot(at now: Instant) -> Event { standing(at: now).event }

    /// The same, to be put together elsewhere.
    package func standing(at now: Instant) -> Standing {
        Standing(
            bare: bareEvent(.snapshot, at: now.following(published?.event)), health: health,
            results: lanes.map(\.results), unsettled: blankSince.map { _ in self })
    }

    // MARK: What an event tells

    /// The verdict, the path and the uplinks, without the targets.
    private func bareEvent(_ kind: Event.Kind, at now: Instant) -> Event {
        var event = Event(
            seq: lastSequence, kind: kind, time: now.wall, monotonic: now.monotonic.nanoseconds, from: nil, to: state,
            cause: published?.event.cause ?? .idle, path: path)
        event.reason = judgement.reason
        event.blame = judgement.blame
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

    private func results(of targets: some Sequence<Int>) -> [ProbeResult] {
        targets.flatMap { target in lanes.compactMap { $0.results.result(of: target) } }
    }

    /// The first event of a run, and the one after other targets are watched.
    private mutating func tellAll(in event: inout Event) {
        event = Standing(bare: event, health: health, results: lanes.map(\.results)).event
        told = Published(event)
        isReconfigured = false
    }

    /// What differs from what was told before; the kind stays `snapshot` where nothing does.
    private mutating func tellChanges(of targets: [Int], forgotten: Int, in event: inout Event) {
        guard let before = published?.event, let old = told else { return }
        let new = Published(event)
        if path != before.path { event.changes.insert(.path) }
        if new.uplinks != old.uplinks { event.changes.insert(.uplinks) }
        if new.captivePortal != old.captivePortal { event.changes.insert(.captivePortal) }
        if forgotten > 0 { event.othersUnknown = true } else { tell(targets, in: &event) }
        let kind = new.kind(after: old)
        let isAboutTargets = !targets.isEmpty || event.othersUnknown || event.othersUp
        event.kind =
            kind == .transition
            ? .transition : event.changes.contains(.path) ? .path : isAboutTargets ? .target : kind ?? .snapshot
        event.from = before.to
        told = new
    }

    /// Names the targets of which there is news. Where many are not known any more and no other is, that is one fact.
    private func tell(_ targets: [Int], in event: inout Event) {
        let forgotten = targets.count { health[$0].status == .unknown }
        let named = Set(targets)
        event.othersUnknown =
            forgotten > Event.mostForgotten
            && health.indices.allSatisfy { health[$0].status == .unknown || named.contains($0) }
        if targets.count - forgotten > Event.mostForgotten, tellOthersUp(in: &event, named) { return }
        let own = event.othersUnknown ? targets.filter { health[$0].status != .unknown } : targets
        event.targets = own.map { health[$0] }
        event.probes = results(of: own)
    }

    /// Tells that all are up and well but those that are named, where these are few.
    private func tellOthersUp(in event: inout Event, _ news: Set<Int>) -> Bool {
        let others = health.indices.filter { !health[$0].isWell }
        guard others.count <= Event.mostForgotten else { return false }
        (event.othersUp, event.othersUnknown) = (true, false)
        event.targets = others.map { health[$0] }
        event.probes = results(of: others.filter(news.contains))
        return true
    }

    // MARK: The portal

    /// Where a person has to go, while a portal says so.
    private var portalAddress: String? {
        guard judgement.status == .portal else { return nil }
        let known = portal?.userPortal ?? lanes.lazy.flatMap(\.results.known).compactMap(\.portal).first
        // The first that is well again has no address to tell, and ends nothing by that alone.
        return known ?? published?.event.portal
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
            verdict.reason = lane.judgement.reason
            verdict.sinceMonotonic = lane.since
            verdict.checkedMonotonic = lane.checkedAt
            verdict.suspectMonotonic = lane.stalledSince
            return verdict
        }
    }
}
