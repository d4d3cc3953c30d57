internal import EventLoop
internal import NetworkAddress

/// One way that probes take: by the route, or bound to an interface, or in one family only. Each is judged on its own.
struct Lane: Sendable {
    struct Key: Hashable, Sendable {
        var interface: String?
        var family: AddressFamily?

        /// By the route and in either family.
        static let route = Key()
    }

    let key: Key
    /// Where its checks are among all.
    var checkRange = 0..<0
    var tally = Tally()
    /// Whose turn it is when all its checks are due.
    private var turn = Turn()
    var judgement = Judgement(.unknown)
    /// Since when the judgement has had its status.
    var since: MonotonicTime?
    var checkedAt: MonotonicTime?
    /// Whether what its checks have found was over another way, or is too old, and they have not been told yet.
    private(set) var isForgetting = false
    /// Whether that is so because it is too old.
    private(set) var hasLapsed = false
    /// Whether the network's own portal says that a person has to log in first.
    var isCaptive = false
    /// Whether nobody answers, or nobody behind the gateway: then what those do is not known.
    var isDead = false
    /// When a check last got any answer over it, and which check that was.
    private(set) var heard: Heard?
    /// Counts the times that somebody was heard, so that silence before is told from silence since.
    private(set) var era = 0
    private(set) var silentReferences = 0
    private(set) var silentTargets = 0
    /// Failures of any check in this era.
    private var misses = 0
    /// When the first of those in this era was that nobody expected.
    private var silentSince: MonotonicTime?
    /// What the host's own connections say of it.
    var traffic = LaneTraffic()
    /// How many checks' results have become too old.
    var stale = 0
    /// How many checks have failed and wait for a witness.
    var suspects = 0

    /// The last answer of any kind.
    struct Heard: Sendable {
        var check: Int
        let time: MonotonicTime

        /// In place of a check: not one of them, but a connection of this host's.
        static let traffic = Int.max
        /// In place of a check that is not there any more.
        static let gone = Int.max - 1
    }

    init(_ key: Key) {
        self.key = key
    }

    /// Notes an answer: nobody counts as silent any more.
    mutating func hear(_ check: Int, at time: MonotonicTime) {
        heard = Heard(check: check, time: time)
        traffic.refute(at: time)
        era += 1
        silentReferences = 0
        silentTargets = 0
        misses = 0
        silentSince = nil
    }

    /// Notes that a check got no answer, and whether that is news: it had not been known to be down, or silent in this era.
    mutating func miss(_ group: Tally.Group, isNews: Bool, at time: MonotonicTime) {
        misses += 1
        guard isNews else { return }
        silentSince = silentSince ?? time
        if group == .targets { silentTargets += 1 } else { silentReferences += 1 }
    }

    /// Whether enough are silent, often enough, to say that nobody answers: all references, and a few targets. Those that
    /// were down before need not fall silent again.
    func isSilent(fall: Int) -> Bool {
        guard misses >= (judgement.status == .unknown ? 1 : fall) else { return false }
        let isFar = tally.isMixed
        let references =
            tally[.plainReferences].possibleWitnesses(isFar: isFar)
            + tally[.secureReferences].possibleWitnesses(isFar: isFar)
        let targets = min(tally[.targets].possibleWitnesses(isFar: isFar), Self.witnesses)
        return silentReferences >= references && silentTargets >= targets
    }

    /// Whether somebody has fallen silent since anybody was last heard, or connections wait in vain.
    var isDoubted: Bool { silentSince != nil || suspectSince != nil }

    /// Whether traffic that leaves by it gets nowhere.
    var isLost: Bool { judgement.status == .local || judgement.status == .portal }

    /// Since when it may have been so; nil where nothing speaks for that.
    var lostSince: MonotonicTime? { silentSince ?? suspectSince ?? (isLost ? since : nil) }

    /// How many targets speak for all.
    static let witnesses = 3

    /// Forgets the verdict, where the way has changed; what the checks have found does not count until they have forgotten
    /// it too.
    mutating func forget() {
        hear(-1, at: MonotonicTime(nanoseconds: 0))
        heard = nil
        traffic = LaneTraffic()
        isDead = false
        judgement = Judgement(.unknown)
        since = nil
        checkedAt = nil
        (isForgetting, hasLapsed) = (true, false)
    }

    /// Forgets whether anybody answers, and when that was known.
    mutating func lapse() {
        let last = checkedAt
        forget()
        checkedAt = last
        hasLapsed = true
    }

    /// Its checks have forgotten what does not count any more.
    mutating func settle() { (isForgetting, hasLapsed) = (false, false) }

    /// Takes the checks that another one for the same way was given.
    mutating func refit(as other: Lane, heard check: Int?) {
        checkRange = other.checkRange
        tally = other.tally
        stale = other.stale
        suspects = other.suspects
        if let old = heard?.check, old != Heard.traffic { heard?.check = check ?? Heard.gone }
    }

    /// Counts a check in, its last one.
    mutating func add(_ check: Check) {
        tally.add(check)
        stale += check.isStale ? 1 : 0
        suspects += check.isSuspect ? 1 : 0
    }

    /// Has all its checks take turns, those first that come after the last one that had its turn before.
    mutating func beginTurn() { turn.begin(of: checkRange.count) }

    mutating func passTurn(_ check: Int) { turn.pass(check - checkRange.lowerBound, of: checkRange.count) }

    /// How many checks go before one when all are due.
    func rank(_ check: Int) -> Int { turn.rank(check - checkRange.lowerBound, of: checkRange.count) }

    var checks: Int { Tally.Group.allCases.reduce(0) { $0 + tally[$1].total } }
}
