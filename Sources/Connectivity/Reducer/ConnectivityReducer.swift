package import EventLoop
internal import Evidence
internal import NetworkAddress
package import Reachability

/// Joins the path with what probes find into one verdict, and says what to ask next.
///
/// A value with no clock, socket or lock inside: the same inputs at the same times give the same events and questions, so
/// that a recorded run replays exactly. ``ConnectivityMonitor`` is the shell that feeds it. What the evidence comes to is
/// worked out by an ``Assessor`` for each lane; here the lanes are made, joined and told.
package struct ConnectivityReducer: Sendable {
    /// Something that happened.
    package enum Input: Hashable, Sendable, Codable {
        /// The path as it is now. The first one is the start.
        case path(PathUpdate)
        /// A probe that was wanted has ended.
        case ended(Probe.ID, ProbeResult)
        /// What came of something else that was wanted, or of a probe that has not ended.
        case report(ProbeReport)
        /// The time of ``Output/wake`` has come.
        case timer
        /// The caller wants everything probed now.
        case request
        /// The network of an interface, by its index, advertises its portal's API at this address; nil for not any more.
        case portalAdvertised(UInt32, api: String?)
        /// A question to a portal's API that was wanted has ended.
        case portalAnswered(PortalAnswer)
        /// What the host's own connections say of each uplink; empty where they say nothing.
        case traffic([TrafficEvidence])
        /// The caller wants to watch something else.
        case configuration(ConnectivityConfiguration)
    }

    /// What follows from an input.
    package struct Output: Sendable {
        /// What to publish: never more than one event an input.
        package var event: Event? { told?.event }
        /// Probes to start.
        package var probes: [Probe] = []
        /// Hosts to be asked for a word.
        package var touches: [Touch] = []
        /// Names to look up.
        package var names: [NameQuestion] = []
        /// Which of all that are of no interest any more.
        package var cancelled: [Probe.ID] = []
        /// Portals' APIs to ask.
        package var portalQuestions: [PortalQuestion] = []
        /// The results of targets that this input has brought.
        package var results: [ProbeResult] = []
        /// How many probes were due and are put off, because traffic shows what they would.
        package var putOff = 0
        /// The event, as it is handed on.
        package internal(set) var told: SharedEvent? = nil
        /// Whether it told in one word what has yet to be written down for each target (``ConnectivityReducer/catchUp()``).
        package internal(set) var isUnsettled = false
        /// When to come back with ``Input/timer``; nil where only another input can bring something to do.
        package var wake: MonotonicTime? = nil

        package init() {}
    }

    package internal(set) var configuration: ConnectivityConfiguration
    package internal(set) var path = Path.unknown
    var lanes: [Lane] = []
    var nextSerial: UInt64 = 0
    var judgement = Judgement(.unknown)
    /// The judgement before damping.
    var observed = Judgement(.unknown)
    var damping: FlapDamping
    var since: MonotonicTime?
    /// What was told of each target.
    package internal(set) var health: [TargetHealth] = []
    /// How many of them were told to be up or down.
    var knownTargets = 0
    /// How many were told to be up, and nothing else of them.
    var wellTargets = 0
    /// Since when all of them are to be as unknown as was told in one word, which is worked out after that.
    var blankSince: Instant?
    var targetPlaces = TargetPlaces([])
    /// Where a target stands in it, by its name.
    var placeOfTarget: [String: Int] = [:]
    var flaps = PathFlaps()
    var portals = PortalWatch()
    var traffic = TrafficWatch()
    package internal(set) var published: SharedEvent?
    /// What that event, and those before it, left a reader with.
    var told: Published?
    /// Whether other targets are watched than those that were told.
    var isReconfigured = false
    package internal(set) var lastSequence: UInt64
    let seed: UInt64
    /// Whether each address of a target is probed, so that a target that is up may have something to tell.
    var probesEachAddress = false
    /// What the assessors have announced since the last event.
    var news = News()

    /// A reducer that has seen nothing yet.
    ///
    /// - Parameters:
    ///   - seed: Where the jitter begins; the same seed gives the same plan.
    ///   - lastSequence: The number of the last event of an earlier run, which the first event here follows.
    package init(configuration: ConnectivityConfiguration, seed: UInt64, lastSequence: UInt64 = 0) {
        self.configuration = configuration
        self.damping = FlapDamping(configuration.damping ?? FlapDamping.Configuration())
        self.seed = seed
        self.lastSequence = lastSequence
        takeTargets()
    }

    mutating func takeTargets() {
        let known = Dictionary(health.map { ($0.target, $0) }) { first, _ in first }
        health = configuration.watched.map { known[$0.name] ?? TargetHealth(target: $0.name, status: .unknown) }
        knownTargets = health.count { $0.status != .unknown }
        wellTargets = health.count(where: \.isWell)
        targetPlaces = TargetPlaces(configuration.watched)
        placeOfTarget = Dictionary(zip(health.lazy.map(\.target), health.indices)) { first, _ in first }
        probesEachAddress = configuration.watched.contains(where: \.eachAddress)
    }

    /// Takes one input in. Times must not run backwards.
    package mutating func reduce(_ input: Input, at now: Instant) -> Output {
        var output = Output()
        catchUp()
        let origin = apply(input, at: now, &output)
        for lane in lanes.indices {
            if let wake = lanes[lane].wake, wake <= now.monotonic { feed(.timer, to: lane, at: now, &output) }
        }
        doubtSpares(at: now, &output)
        if origin?.isNews == true || !news.isEmpty || isOutdated { publish(origin, at: now, &output) }
        askPortals(at: now, &output)
        output.wake = [trafficDue, damping.release(), portalsDue, flaps.release].compactMap(\.self).min()
        for lane in lanes.indices {
            if let wake = lanes[lane].wake { output.wake = output.wake.map { min($0, wake) } ?? wake }
        }
        return output
    }

    /// Whether something is otherwise than was told that no assessor announces.
    private var isOutdated: Bool {
        guard let told else { return false }
        return told.isSuspect != (suspectSince != nil) || told.spare != spare
            || lanes.contains { $0.stalledSince != nil && $0.assessor.suspectSince == nil }
    }

    private mutating func apply(_ input: Input, at now: Instant, _ output: inout Output) -> Origin? {
        switch input {
        case .path(let update): return follow(update, at: now, &output)
        case .ended(let id, let result): return take(result, of: id, at: now, &output)
        case .report(let report): return take(report, at: now, &output)
        case .timer:
            turnTraffic(at: now)
            return endFlapping(at: now, &output) ?? endDamping(at: now)
        case .request:
            portals.ask(at: now.monotonic)
            for lane in lanes.indices { feed(.requested, to: lane, at: now, &output) }
            return nil
        case .portalAdvertised(let index, let api): return advertise(api, on: index, at: now)
        case .portalAnswered(let answer): return take(answer, at: now)
        case .traffic(let evidence): return take(evidence, at: now, &output)
        case .configuration(let new): return configure(new, at: now, &output)
        }
    }

    /// What an input was, for the event it may lead to.
    struct Origin: Sendable {
        /// A cause, or the result whose words are only put together where an event follows.
        enum Source: Sendable {
            case cause(Cause)
            case probe(ProbeResult)
        }

        let source: Source
        let time: MonotonicTime
        var isResync = false

        init(_ source: Source, time: MonotonicTime, isResync: Bool = false) {
            (self.source, self.time, self.isResync) = (source, time, isResync)
        }

        /// Whether it is something to tell by itself.
        var isNews: Bool {
            if case .cause = source { true } else { false }
        }

        var cause: Cause {
            switch source {
            case .cause(let cause): cause
            case .probe(let result): Cause(probe: result)
            }
        }
    }

    /// What the assessors have announced and no event has told yet.
    struct News: Sendable {
        /// Targets, by their place in the configuration.
        var targets: Set<Int> = []
        /// Targets of whose addresses one may be gone or back, by what was found last.
        var results: Set<Int> = []
        /// Lanes of which any target may be otherwise than was told.
        var wholeLanes: Set<Int> = []
        /// How often a verdict has changed that changes too often to be told each time.
        var flaps: Int?
        /// The same of a link that was lost.
        var losses: Int?
        /// For how long nothing was looked at.
        var absence: Duration?
        var hasVerdict = false

        var isEmpty: Bool { targets.isEmpty && results.isEmpty && wholeLanes.isEmpty && !hasVerdict }
    }
}
