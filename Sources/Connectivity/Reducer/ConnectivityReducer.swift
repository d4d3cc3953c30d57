public import EventLoop
public import Reachability

/// Joins the path with what probes find into one verdict, and says what to probe next.
///
/// A value with no clock, socket or lock inside: the same inputs at the same times give the same events and probes, so a
/// recorded run replays exactly. ``ConnectivityMonitor`` is the shell that feeds it.
public struct ConnectivityReducer: Sendable {
    /// Something that happened.
    public enum Input: Hashable, Sendable, Codable {
        /// The path as it is now. The first one is the start.
        case path(PathUpdate)
        /// A probe that was wanted has ended.
        case ended(Probe.ID, ProbeResult)
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
    public struct Output: Sendable {
        /// What to publish: never more than one event an input.
        public var event: Event? { told?.event }
        /// Probes to start.
        public var probes: [Probe] = []
        /// How many probes were due and are put off, because traffic shows what they would.
        public var putOff = 0
        /// Probes whose results are of no interest any more.
        public var cancelled: [Probe.ID] = []
        /// Portals' APIs to ask.
        public var portalQuestions: [PortalQuestion] = []
        /// The same, as it is handed on.
        var told: SharedEvent? = nil
        /// When to come back with ``Input/timer``; nil where only another input can bring something to do.
        public var wake: MonotonicTime? = nil
    }

    var configuration: ConnectivityConfiguration
    var path = Path.unknown
    var judgement = Judgement(.unknown)
    /// The judgement before damping.
    var observed = Judgement(.unknown)
    var damping: FlapDamping
    var since: MonotonicTime?
    var lanes: [Lane] = []
    /// One for each target in each lane, lane by lane.
    var checks: [Check] = []
    /// Each target's checks.
    var checksOfTarget: [[Int]] = []
    var health: [TargetHealth] = []
    /// Where a target stands in it, by its name.
    var placeOfTarget: [String: Int] = [:]
    /// What is left to be done for all checks.
    var unsettled: Unsettled?
    /// The checks that are to be, while they are made.
    var refit: Refit?
    /// The path that the checks were made for.
    var fittedPath = Path.unknown
    /// Checks that are not in use any more and have not been freed.
    var remains: [Remains] = []
    /// Results that came meanwhile.
    var waiting: ArraySlice<Finished> = []
    /// What was to be done and is, for the event that it may lead to.
    var settledOrigin: Origin?
    var slicing = Slicing()
    /// Whether a target is bound to a medium, so that each path may bind it to another interface.
    var bindsToMedia = false
    /// Whether a target is bound to an interface, by its name or its medium, so that each path may give it another way.
    var bindsTargets = false
    /// The targets whose checks have changed since their health was last examined.
    var dirty: Set<Int> = []
    /// The targets whose news was found while a path's work was done, and is told with the next event.
    var untold: Set<Int> = []
    /// The targets that are to be examined once more, a few with each input.
    var unexamined = 0..<0
    var agenda = Agenda()
    /// When which result will be too old.
    var expiry = Agenda()
    /// How many results were found to be too old and have not been told of.
    var expired = 0
    /// The longest that a probe may take.
    var longestTimeout = Duration.zero
    /// The longest interval of a target.
    var longestInterval = Duration.zero
    /// What is to be told next, because the present input has told something else already.
    private(set) var postponed: Origin?
    var portals = PortalWatch()
    var traffic = TrafficWatch()
    var inFlight: [Probe.ID: Int] = [:]
    /// Those of them that may have several connections open at one time, and how many.
    var wideProbes: [Probe.ID: Int] = [:]
    var lastProbe: Probe.ID = 0
    var published: SharedEvent?
    /// What that event, and those before it, left a reader with.
    var told: Published?
    /// The status of each target that was told last.
    var toldStatuses: [TargetHealth.Status] = []
    /// Whether other targets are watched than those that were told.
    var isReconfigured = false
    var lastSequence: UInt64
    var random: SplitMix64

    /// A reducer that has seen nothing yet.
    ///
    /// - Parameters:
    ///   - seed: Where the jitter begins; the same seed gives the same plan.
    ///   - lastSequence: The number of the last event of an earlier run, which the first event here follows.
    public init(configuration: ConnectivityConfiguration, seed: UInt64, lastSequence: UInt64 = 0) {
        self.configuration = configuration
        self.damping = FlapDamping(configuration.damping ?? FlapDamping.Configuration())
        self.random = SplitMix64(seed: seed)
        self.lastSequence = lastSequence
        health = configuration.watched.map { TargetHealth(target: $0.name, status: .unknown) }
        toldStatuses = health.map(\.status)
        sumUpTargets()
    }

    /// Takes one input in. Times must not run backwards.
    public mutating func reduce(_ input: Input, at now: Instant) -> Output {
        var output = Output()
        if case .timer = input { settleSlice(at: now, &output) }
        if let origin = expire(at: now, &output) { publish(origin, at: now, &output) }
        let origin = apply(input, at: now, &output) ?? settledOrigin.take() ?? postponed
        postponed = output.told == nil ? nil : origin
        if let origin, postponed == nil { publish(origin, at: now, &output) }
        startDueProbes(at: now, &output)
        askPortals(at: now, &output)
        if let due = trafficDue { output.wake = min(output.wake ?? due, due) }
        if let release = damping.release() { output.wake = min(output.wake ?? release, release) }
        if let unsettled { output.wake = unsettled.due }
        if isBehind(at: now) { output.wake = now.monotonic }
        return output
    }

    /// Whether there is more to do than one input has done.
    private func isBehind(at now: Instant) -> Bool {
        postponed != nil || isExpiring(at: now) || (unsettled == nil && !waiting.isEmpty)
    }

    private mutating func apply(_ input: Input, at now: Instant, _ output: inout Output) -> Origin? {
        switch input {
        case .path(let update): return take(update, at: now, &output)
        case .ended(let id, let result): return take(Finished(probe: id, result: result), at: now, &output)
        case .timer:
            turnTraffic(at: now)
            return endDamping(at: now) ?? takeWaiting(at: now, &output)
        case .request: request(at: now, &output)
        case .portalAdvertised(let index, let api): return advertise(api, on: index, at: now)
        case .portalAnswered(let answer): return take(answer, at: now)
        // Of which check it is the witness is not settled then.
        case .traffic(let evidence): return unsettled == nil ? take(evidence, at: now) : nil
        case .configuration(let new): configure(new, at: now, &output)
        }
        return nil
    }

    /// What an input was, for the event it may lead to. In one place, because it is large and handed on at every step.
    final class Origin: Sendable {
        /// A cause, or the result whose words are only put together where an event follows.
        indirect enum Source: Sendable {
            case cause(Cause)
            case probe(ProbeResult)
        }

        let source: Source
        let time: MonotonicTime
        let isResync: Bool

        init(_ source: Source, time: MonotonicTime, isResync: Bool = false) {
            self.source = source
            self.time = time
            self.isResync = isResync
        }

        var cause: Cause {
            switch source {
            case .cause(let cause): cause
            case .probe(let result): Cause(probe: result)
            }
        }
    }
}
