package import EventLoop
internal import Evidence
internal import NetworkAddress
package import Reachability

/// Joins the path with what probes find into one verdict, and says what to ask next.
///
/// A value with no clock, socket or lock inside: the same inputs at the same times give the same events and questions, so
/// that a recorded run replays exactly. ``ConnectivityMonitor`` is the shell that feeds it. What the evidence comes to is
/// worked out by an ``Assessor`` for each lane.
///
/// Each part of what is known is a value that alone writes to it: here they are called in their order. An input goes to the
/// lanes (``Lanes``), and what they bring is told (``UntoldNews``): they are judged, the verdict is damped (``DampedVerdict``),
/// the targets are looked at (``TargetCatalogue``), and what differs from the last event is the next one (``EventLog``).
package struct ConnectivityReducer: Sendable {
    private var watched: WatchedPath
    private(set) var lanes: Lanes
    private var verdict: DampedVerdict
    private var targets: TargetCatalogue
    private var flaps = PathFlaps()
    private var portals = PortalWatch()
    private var traffic = TrafficWatch()
    private var log: EventLog
    /// What was found since the last event.
    private var news = UntoldNews()

    /// A reducer that has seen nothing yet.
    ///
    /// - Parameters:
    ///   - seed: Where the jitter begins; the same seed gives the same plan.
    ///   - lastSequence: The number of the last event of an earlier run, which the first event here follows.
    package init(configuration: ConnectivityConfiguration, seed: UInt64, lastSequence: UInt64 = 0) {
        watched = WatchedPath(configuration)
        lanes = Lanes(seed: seed)
        verdict = DampedVerdict(configuration.damping)
        targets = TargetCatalogue(configuration.watched)
        log = EventLog(after: lastSequence)
    }

    /// Takes one input in. Times must not run backwards.
    package mutating func reduce(_ input: Input, at now: Instant) -> Output {
        catchUp()
        let trigger = apply(input, at: now)
        lanes.wakeUp(at: now, over: watched)
        lanes.doubtSpares(at: now, over: watched)
        let found = lanes.takeOutput()
        news.add(found.news)
        var output = Output(found)
        if trigger?.isNews == true || !news.isEmpty || isOutdated {
            output.told = publish(trigger, at: now)
            output.isUnsettled = targets.isBlank
        }
        if watched.asksPortals {
            output.portalQuestions = portals.questions(path, timeout: configuration.timeout, at: now.monotonic)
        }
        let portalsDue = watched.asksPortals ? portals.due : nil
        output.wake =
            [trafficDue, verdict.release, portalsDue, flaps.release, lanes.wake].compactMap(\.self).min()
        return output
    }

    /// Whether something is otherwise than was told that no assessor announces.
    private var isOutdated: Bool {
        guard let told = log.told else { return false }
        return told.isSuspect != (lanes.suspectSince(over: path) != nil) || told.spare != spare || lanes.hasRefuted
    }

    private mutating func apply(_ input: Input, at now: Instant) -> EventTrigger? {
        switch input {
        case .path(let update): return follow(update, at: now)
        case .ended(let id, let result), .report(.ended(let id, let result)): return take(result, of: id, at: now)
        case .report(let report): lanes.take(report, at: now, over: watched)
        case .timer:
            if let due = trafficDue, due <= now.monotonic { traffic.turn(at: now.monotonic) }
            return endFlapping(at: now) ?? endDamping(at: now)
        case .request:
            portals.ask(at: now.monotonic)
            lanes.feed(.requested, at: now, over: watched)
        case .portalAdvertised(let index, let api): return advertise(api, on: index, at: now)
        case .portalAnswered(let answer): return take(answer, at: now)
        case .traffic(let evidence): return take(evidence, at: now)
        case .configuration(let new): return configure(new, at: now)
        }
        return nil
    }

    // MARK: Path and configuration

    /// Takes another path in, unless its link comes and goes. Where nothing is probed, each change is told as it comes.
    private mutating func follow(_ update: PathUpdate, at now: Instant) -> EventTrigger? {
        guard !configuration.watched.isEmpty else {
            flaps = PathFlaps()
            return take(update, at: now)
        }
        switch flaps.decide(update, at: now.monotonic) {
        case .hold: return nil
        case .tell(let update, let losses):
            news.losses = losses
            return take(update, at: now)
        }
    }

    /// Takes the path in that has come to rest.
    private mutating func endFlapping(at now: Instant) -> EventTrigger? {
        guard let (update, losses) = flaps.end(at: now.monotonic) else { return nil }
        lanes.feed(.settled, at: now, over: watched)
        let trigger = take(update, at: now)
        guard update.path != log.last?.event.path else { return nil }
        news.losses = losses
        return trigger.postponed(to: now.monotonic)
    }

    private mutating func take(_ update: PathUpdate, at now: Instant) -> EventTrigger {
        let old = path
        watched.path = update.path
        portals.follow(path, from: old, at: now.monotonic)
        lanes.follow(watched, from: old, isUnwatched: update.cause.kind == .resume, at: now)
        return EventTrigger(update.cause, time: update.readMonotonic, isResync: update.isResync)
    }

    /// Has something else watched from now on. What both have in common goes on to be known, and all is probed.
    private mutating func configure(_ new: ConnectivityConfiguration, at now: Instant) -> EventTrigger {
        let old = configuration
        watched = WatchedPath(new, over: path)
        verdict.restart(new.damping)
        targets = TargetCatalogue(new.watched, after: targets.health)
        portals.ask(at: now.monotonic)
        log.reconfigure()
        lanes.configure(watched, from: old, at: now)
        news.targets.formUnion(targets.health.indices)
        return EventTrigger(
            Cause(kind: .request, description: "the configuration was changed"), time: now.monotonic)
    }

    // MARK: Answers

    /// Takes the end of a target's probe in. That of a probe that was given up says nothing.
    private mutating func take(_ result: ProbeResult, of id: Probe.ID, at now: Instant) -> EventTrigger? {
        guard let (result, isCaptive) = lanes.take(result, of: id, at: now, over: watched) else { return nil }
        // A person has logged in, it seems.
        if result.outcome == .success, isCaptive { portals.ask(at: now.monotonic) }
        // A portal may send people to another place by now.
        if result.outcome == .portal, verdict.told.status == .portal { news.hasVerdict = true }
        return EventTrigger(result)
    }

    private mutating func advertise(_ api: String?, on index: UInt32, at now: Instant) -> EventTrigger? {
        guard portals.advertise(api, on: index, at: now.monotonic) else { return nil }
        let what = api.map { "the network's portal is asked at \($0) from now on" }
        return EventTrigger(
            Cause(kind: .probe, description: what ?? "the network tells of no portal any more"), time: now.monotonic)
    }

    private mutating func take(_ answer: PortalAnswer, at now: Instant) -> EventTrigger? {
        let (retryDelay, interval) = (configuration.retryDelay, configuration.interval)
        guard portals.take(answer, retryDelay: retryDelay, interval: interval, at: now.monotonic) else { return nil }
        return EventTrigger(Cause(portal: answer.portal), time: now.monotonic)
    }

    private mutating func take(_ evidence: [TrafficEvidence], at now: Instant) -> EventTrigger? {
        traffic.sample(at: now.monotonic)
        return lanes.take(evidence, at: now, over: watched).map {
            EventTrigger(Cause(stall: $0, at: now.monotonic), time: now.monotonic)
        }
    }

    /// The time has come to tell what was held back while the verdict flapped.
    private func endDamping(at now: Instant) -> EventTrigger? {
        guard verdict.isReleased(at: now.monotonic) else { return nil }
        return EventTrigger(
            Cause(kind: .probe, description: "the state has been steady for a while"), time: now.monotonic)
    }

    // MARK: The host's own connections

    /// Whether the kernel is to be asked for its connections before this input is taken in.
    package func wantsTraffic(before input: Input, at now: MonotonicTime) -> Bool {
        guard configuration.traffic != nil, path.status.isReachable else { return false }
        return trafficDue.map { $0 <= now } ?? false || traffic.isDue(before: input, at: now)
    }

    /// When to look the next time, where that is asked for and there is something to lose.
    private var trafficDue: MonotonicTime? {
        guard let interval = configuration.traffic?.interval, lanes.hasWatchable else { return nil }
        return traffic.due(each: interval)
    }

    // MARK: Events

    /// Judges anew and publishes what has changed, whatever that is: until the next event a snapshot says what this one did.
    private mutating func publish(_ trigger: EventTrigger?, at now: Instant) -> SharedEvent? {
        news.wholeLanes.formUnion(
            lanes.judge(portals, isOfTargets: news.isOfTargets, over: watched, at: now.monotonic))
        let joined = lanes.judgement(over: watched, told: verdict.told)
        if verdict.take(joined, isReachable: path.status.isReachable, at: now.monotonic) {
            portals.ask(at: now.monotonic)
        }
        let changes = examineTargets(at: now)
        let news = self.news
        self.news = UntoldNews()
        guard path.status != .unknown || log.last != nil else { return nil }
        var event = bareEvent(at: now)
        if log.tellsAll {
            event = Standing(bare: event, health: targets.health, results: lanes.results).event
            log.noteAll(of: event)
        } else {
            log.tellChanges(changes, in: &event)
            guard event.kind != .snapshot else { return nil }
        }
        event.cause = Cause(of: event, trigger, news, after: log.last?.event, over: interfaceOfEvidence)
        event.resync = trigger?.isResync ?? false
        let began = min((trigger?.time ?? now.monotonic).nanoseconds, now.monotonic.nanoseconds)
        event.latencyNanoseconds = now.monotonic.nanoseconds - began
        return log.publish(event)
    }

    /// Brings what is told of the targets up to date; returns what is to be told of it.
    private mutating func examineTargets(at now: Instant) -> TargetNews {
        if !log.tellsAll, targets.mayBeBlank, lanes.isIgnorant {
            return TargetNews(othersUnknown: targets.forget(at: now) > 0)
        }
        let doubted =
            concernsAll ? targets.doubtful(lanes.all, over: watched) : lanes.targets(of: news)
        let found = targets.examine(doubted, lanes.all, over: watched, news, at: now.monotonic)
        lanes.note(told: found.changed)
        return log.tellsAll ? TargetNews() : targets.news(of: found.news, lanes.results)
    }

    /// Whether any target may be otherwise than was told.
    private var concernsAll: Bool {
        guard let before = log.last?.event.path, !log.tellsAll else { return true }
        if watched.places.hasBound, before != path { return true }
        // Without a path nothing is known of any target.
        if !path.status.isReachable || !before.status.isReachable { return true }
        return news.wholeLanes.contains { $0 < lanes.all.count && lanes.all[$0].members.count == targets.health.count }
    }

    /// The interface that the evidence is about: that of what gets nowhere while the rest leaves by another, or the one that
    /// all targets are bound to.
    private var interfaceOfEvidence: String? {
        let isPart = verdict.told.status == .limited && lanes.all.count == 1
        return (isPart ? lanes.all[0].assessor.deadInterface : nil) ?? watched.onlyInterface
    }

    private var spare: String? { lanes.spare(over: path, after: log.told?.spare) }

    /// The verdict, the path and the uplinks, without the targets; numbered as the last event.
    private func bareEvent(at now: Instant) -> Event {
        let told = verdict.told
        let state = Event.State(
            reachability: path.status, connectivity: told.status, interfaces: path.interfacesInUse)
        var event = Event(
            seq: lastSequence, kind: .snapshot, time: now.wall, monotonic: now.monotonic.nanoseconds, from: nil,
            to: state, cause: log.last?.event.cause ?? .idle, path: path)
        (event.reason, event.blame) = (told.reason, told.blame)
        if verdict.observed.status != told.status { event.observed = verdict.observed.status }
        event.sinceMonotonic = verdict.since?.nanoseconds
        event.suspectMonotonic = lanes.suspectSince(over: path)?.nanoseconds
        event.checkedMonotonic = lanes.checkedAt?.nanoseconds
        event.uplinks = lanes.uplinks(over: path)
        event.spare = spare
        event.captivePortal = portals.portal(ofActive: lanes.all, over: path)
        event.portal = told.status == .portal ? portalAddress(event.captivePortal) : nil
        return event
    }

    /// Where a person has to go.
    private func portalAddress(_ portal: CaptivePortal?) -> String? {
        portal?.userPortal ?? lanes.all.lazy.flatMap(\.record.latest.known).compactMap(\.portal).first
            // The first that is well again has no address to tell, and ends nothing by that alone.
            ?? log.last?.event.portal
    }

    // MARK: The state

    package var configuration: ConnectivityConfiguration { watched.configuration }
    package var path: Path { watched.path }
    /// What was told of each target.
    package var health: [TargetHealth] { targets.health }
    package var published: SharedEvent? { log.last }
    package var lastSequence: UInt64 { log.lastSequence }

    /// The state as it is, numbered as the last event.
    package func snapshot(at now: Instant) -> Event { standing(at: now).event }

    /// The same, to be put together elsewhere.
    package func standing(at now: Instant) -> Standing {
        Standing(
            bare: bareEvent(at: now.following(published?.event)), health: targets.health, results: lanes.results,
            unsettled: targets.isBlank ? self : nil)
    }

    /// Writes down for each target what was told in one word.
    package mutating func catchUp() { lanes.note(told: targets.catchUp(lanes.all, over: watched)) }

    /// Whether the state is as a condition wants it. It costs the same with 10,000 targets as with one, because it is asked
    /// after every input.
    package func meets(_ condition: WaitCondition) -> Bool {
        condition.isMet(path.status, verdict.told.status) { targets.isUp($0) }
    }
}
