package import EventLoop
package import NetworkAddress

/// Reaches a verdict from evidence, and says what to ask for it.
///
/// A value with no clock, socket or lock inside: the same inputs at the same times give the same questions and
/// announcements. A *way* is alive, suspected or dead by what was heard over it (``WayState``); a target is held
/// responsible only for what it did while its way was proven to be alive.
package struct Assessor: Sendable {
    /// Something that happened.
    package enum Input: Sendable {
        /// The path as it is now.
        case network(Network)
        /// What was asked leaves now, to this host: the kernel has told its way.
        case sent(Ask.ID, Host)
        /// The host's first word of any kind, so long after it was asked.
        case heard(Ask.ID, IPAddress, after: Duration)
        case missed(Ask.ID, IPAddress, Miss)
        /// All of it is over.
        case ended(Ask.ID, Answer)
        /// A target's answer was dated by so many seconds ahead of this host's time.
        case dated(Int, offset: Int64)
        /// The time of ``Output/wake`` has come.
        case timer
        /// The host has slept, or this process was stopped: nothing that was known is known.
        case resumed
        /// Everything is to be asked now.
        case requested
        /// The host's own traffic over a way was answered, asked at this time.
        case trafficHeard(Way, sentAt: MonotonicTime)
        /// The host's own traffic over a way waits in vain since then.
        case trafficSilent(Way, since: MonotonicTime)
        /// It is to be known now whether the ways that lead everywhere are alive.
        case doubted
        /// An interface has another name now.
        case renamed(String, to: String)
        /// The path has come to rest that came and went: what is found over it is told at once.
        case settled
        /// These targets leave by another interface than before, which they are bound to.
        case rebound([Int])
    }

    /// What follows from it.
    package struct Output: Sendable {
        package var asks: [Ask] = []
        package var cancelled: [Ask.ID] = []
        package var announcement: Announcement?
        /// Names that were asked for in vain, with the targets that wait for them.
        package var unresolved: [(targets: [Int], reason: Reason, since: MonotonicTime)] = []
        /// How long names took that were found, with the targets that waited for them.
        package var resolved: [(targets: [Int], after: Duration)] = []
        /// How many references were not asked, because the host's own traffic shows what they would.
        package var putOff = 0
        /// For how long nothing was looked at, so that nothing is known any more.
        package var absence: Duration?
        package var wake: MonotonicTime?
    }

    /// Something under way.
    struct Open: Sendable {
        let ask: Ask
        let sentAt: MonotonicTime
        /// Whether a silence raises a suspicion: not that of one that a suspicion asked.
        var isNews = true
        var exchanges: [Exchange] = []

        /// Whether something was sent, and no host itself has said anything.
        var isUnheard: Bool { !exchanges.isEmpty && !exchanges.contains(where: \.isHeard) }
    }

    /// One thing sent to one host.
    struct Exchange: Sendable {
        let host: Int
        let way: Int
        /// The generation of the way that it was sent in.
        let generation: Int
        let sentAt: MonotonicTime
        var isLate = false
        var isHeard = false
        var isOver = false
        var isTold = false

        /// Whether it was given up, and nothing came of it.
        var isVoid: Bool { isOver && !isHeard && !isTold }
    }

    let settings: Settings
    /// How many probes may be under way at one time: what the settings say, until those who share it come or go.
    package var limit: Int
    var network = Network(isReachable: false)
    var isStarted = false
    var ways = WayTable()
    var hosts = HostTable()
    var targets: [TargetState]
    var names: NameBook
    var open: [Ask.ID: Open] = [:]
    var lastAsk: Ask.ID = 0
    /// Turns that wait for a place among those under way.
    var line = WaitingTargets()
    /// Names that wait for a place among those that are asked for again.
    var nameLine = WaitingTargets()
    var dueQueue = DueQueue()
    var nowhere = Nowhere()
    let total: Int
    /// The built-in references and the caller's.
    let referring: [Int]
    /// How many targets have not been asked at any host yet, so that they may be anywhere.
    var placeless: Int
    /// How many there are of each group.
    let totals: (targets: Int, plain: Int, secure: Int)
    /// The target that was asked last because nothing is known of where it is.
    var lastLooked = 0
    var portal = PortalState()
    var clock = ClockState()
    /// For how long a wrong clock is believed in of which nothing is seen: until all that may show it have had their turn.
    let clockPatience: Duration
    var inquiries = InquiryList()
    var publication: Publication
    /// The targets whose state may be another one than was told.
    var changed: [Int] = []
    var told: ToldHealth
    var sweep = Sweep()
    /// Until when the verdict waits for targets that are not known.
    var openUntil: MonotonicTime?
    /// Until when it waits for others: after one could not be sent, or could be again, or has come back.
    var othersUntil: MonotonicTime?
    /// Targets that were down and have another route since, and until when what they are by it is waited for.
    var recalled: Set<Int> = []
    var recalledUntil: MonotonicTime?
    /// When the first was to be sent that could not be, and when the last was found to be so.
    var (unsentSince, unsentAt): (MonotonicTime?, MonotonicTime?)
    let start: MonotonicTime
    var random: SplitMix64
    /// Whether something has changed that the verdict may depend on.
    var isNews = true
    /// Counts the times that the verdict was looked at anew: while it is the same, so is the health of every target.
    package internal(set) var revision: UInt64 = 0
    var output = Output()

    /// Whether an answer that is dated by so many seconds ahead of this host's time says that its clock may be wrong.
    package static func isOff(_ offset: Int64) -> Bool { ClockState.isOff(offset) }

    /// - Parameters:
    ///   - start: From when turns are counted.
    ///   - seed: Where the jitter begins.
    package init(_ settings: Settings, at start: MonotonicTime, seed: UInt64, sequence: UInt64 = 0) {
        self.settings = settings
        limit = settings.limit
        self.start = start
        targets = settings.targets.map { _ in TargetState() }
        told = ToldHealth(count: targets.count)
        names = NameBook(settings.targets)
        total = settings.targets.count { $0.role != .witness }
        referring = settings.targets.indices.filter { settings.targets[$0].role != .target }
        let groups = settings.targets.filter { $0.role != .witness }.map { Tally.Group($0) }
        totals = (
            groups.count { $0 == .targets }, groups.count { $0 == .plainReferences },
            groups.count { $0 == .secureReferences }
        )
        placeless = total
        let secure = settings.targets.filter { $0.transport == .secure && $0.role != .witness }
        clockPatience = max(Rules.portal * 4, (secure.map(\.interval).max() ?? .zero) * 2)
        publication = Publication(sequence: sequence)
        random = SplitMix64(seed: seed)
    }

    /// Takes one input in. Times must not run backwards.
    package mutating func reduce(_ input: Input, at now: MonotonicTime) -> Output {
        // A process that was stopped has missed answers that came: its silence is its own.
        if let next = dueQueue.next, next + Rules.absence < now {
            output.absence = now - next
            resume(at: now)
        }
        take(input, at: now)
        while let item = dueQueue.take(until: now) { perform(item, at: now) }
        fillPlacesOfNames(at: now)
        fillPlaces(at: now)
        publish(at: now)
        dueQueue.prune { [open, targets, sweep] item, time in
            switch item {
            case .late(let id, let number):
                guard let exchanges = open[id]?.exchanges, number < exchanges.count else { return true }
                return exchanges[number].isHeard || exchanges[number].isOver
            case .overdue(let id), .renewal(let id): return open[id] == nil
            case .turn(let target): return targets[target].due.map { $0 > time } ?? true
            case .sweep: return !sweep.isDue
            default: return false
            }
        }
        // Every turn that is planned has an entry at just its time; another one at the same time is one too many.
        var planned: Set<Int> = []
        dueQueue.tidy(beyond: 256 + 4 * targets.count) { [targets] item, time in
            guard case .turn(let target) = item else { return false }
            return targets[target].due != time || !planned.insert(target).inserted
        }
        output.wake = dueQueue.next
        defer { output = Output() }
        return output
    }

    private mutating func take(_ input: Input, at now: MonotonicTime) {
        switch input {
        case .network, .resumed, .requested: isNews = true
        default: break
        }
        switch input {
        case .network(let network): follow(network, at: now)
        case .sent(let id, let host): begin(id, host, at: now)
        case .heard(let id, let address, let after): hear(id, address, after: after, at: now)
        case .missed(let id, let address, let miss): note(miss, id, address, at: now)
        case .ended(let id, let answer): end(id, answer, at: now)
        case .dated(let target, let offset): note(offset: offset, by: target, at: now)
        case .timer: break
        case .resumed: resume(at: now)
        case .requested: request(at: now)
        case .doubted: prove(at: now)
        case .renamed(let old, let new): rename(old, to: new)
        case .settled: publication.settle()
        case .rebound(let places): rebind(places, at: now)
        case .trafficHeard(let way, let sentAt):
            ways.index(of: way).map { hearTraffic($0, sentAt: sentAt, at: now) }
            askPortalSoon(at: now)
        case .trafficSilent(let way, let since): ways.index(of: way).map { suspect($0, since: since, at: now) }
        }
    }

    private mutating func perform(_ item: DueQueue.Item, at now: MonotonicTime) {
        switch item {
        case .turn(let target): if let due = targets[target].due, due <= now { turn(target, at: now) }
        case .late(let id, let index): notice(id, index, at: now)
        case .round(let way): stepRound(way, at: now)
        case .rotation(let way): rotate(way, at: now)
        case .gap(let way): fillGap(way, at: now)
        case .name(let name): attemptAgain(name, at: now)
        case .inquiry(let id): conclude(id, at: now)
        case .sweep: sweepOn(at: now)
        case .portal: lookForPortal(at: now)
        case .touch(let host, let way): touch(host, of: way, at: now)
        case .publish: isNews = true
        case .overdue(let id): giveUp(id, at: now)
        case .renewal(let id): renew(id, at: now)
        }
    }
}
