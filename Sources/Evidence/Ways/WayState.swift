internal import EventLoop
internal import NetworkAddress

/// What is known of one way: when it was last proven, since when it is doubted, whether it is dead.
struct WayState: Sendable {
    private(set) var way: Way
    /// Its place among the others, as the kernel has it now; nil while there is no such way.
    var course: Network.Course? {
        didSet { (isPresent, reachesAll) = (course != nil, course?.reachesAll ?? false) }
    }
    /// Whether there is such a way. Asked for each target, for which a copy of its place would cost more than all else.
    private(set) var isPresent = false
    /// Whether traffic to anywhere leaves by it.
    private(set) var reachesAll = false
    /// The latest sending time of an exchange that was heard.
    private(set) var heard: MonotonicTime?
    /// The host that said it, where it was one that was asked.
    var witness: Int?
    /// When the first exchange was sent that is late or missed, where none sent later has been heard.
    private(set) var suspected: MonotonicTime?
    private(set) var round: Round?
    private(set) var death: Death?
    /// From when to when it was dead last.
    private var outage: ClosedRange<MonotonicTime>?
    /// What was found over it in an older generation is not known any more.
    private(set) var generation = 0
    private var steps = 0
    private(set) var rotated = 0
    /// When it is asked again while it is dead.
    private(set) var rotationDue: MonotonicTime?
    /// When it was asked last while it is dead.
    private(set) var rotatedAt: MonotonicTime?
    /// When something is to be heard over it again.
    var gapDue: MonotonicTime?
    var loss = LossMeter()
    /// How hosts were asked and heard lately that had been heard before: in bursts of loss more is missed than is known.
    private var contrast: [(time: MonotonicTime, isHeard: Bool)] = []
    /// When a host other than a name server was late over it that is not known to be down.
    var lateAt: MonotonicTime?
    /// Whether a host was asked by it alone that had lost a race to another way, before any was heard.
    private var wasAskedAlone = false
    /// Whether a target was ever asked by it: what only leads to others says nothing of what is watched.
    var isUsed = false
    /// When the host's own traffic over it was answered last.
    var trafficHeard: MonotonicTime?
    /// Until when it counts as slow.
    var slowUntil: MonotonicTime?
    /// What the targets are that were found over it in this generation.
    var tally = Tally()
    /// Its hosts, in the order in which they were heard.
    var hosts = RecencyList()
    /// Those of them that are references.
    var references: [Int] = []
    /// The targets whose misses are not laid to them or to the way yet.
    private var uncharged: Set<Int> = []
    /// How long words usually take over it.
    var usual = Usual()
    /// The hosts that took much longer lately, and when.
    var slowHosts: [Int: MonotonicTime] = [:]

    struct Death: Sendable {
        /// When the exchange was sent after which none was heard.
        let since: MonotonicTime
        let culprit: Culprit
    }

    /// What a word does to it.
    enum Effect { case nothing, cleared, revived }

    init(_ way: Way, generation: Int = 0) {
        self.way = way
        self.generation = generation
    }

    var isDead: Bool { death != nil }

    /// Since when nothing is heard over it, where it is dead or doubted.
    var silentSince: MonotonicTime? { death?.since ?? suspected }

    /// How often something is to be heard over it.
    func gap(at now: MonotonicTime) -> Duration {
        guard course?.isMetered != true else { return Rules.meteredGap }
        return outage.map { $0.upperBound + Rules.watchful > now } ?? false ? Rules.watchfulGap : Rules.gap
    }

    /// Whether a host was heard that was asked then or later.
    func isProven(since time: MonotonicTime) -> Bool { heard.map { $0 >= time } ?? false }

    /// Notes that a host was heard that was asked at a time.
    mutating func hear(sentAt: MonotonicTime) -> Effect {
        guard heard.map({ sentAt > $0 }) ?? true else { return .nothing }
        heard = sentAt
        if let death {
            guard sentAt > death.since else { return .nothing }
            outage = death.since...sentAt
            revive()
            return .revived
        }
        guard let suspected, sentAt >= suspected else { return .nothing }
        (self.suspected, round) = (nil, nil)
        return .cleared
    }

    /// Begins to doubt it, and to ask.
    ///
    /// - Returns: Whether that is new.
    mutating func suspect(
        since: MonotonicTime, wait: Duration, rows: Int, accused: Set<IPAddress>, at now: MonotonicTime
    ) -> Bool {
        guard !isDead, suspected == nil, !isProven(since: since) else { return false }
        suspected = since
        round = Round(at: now, wait: wait, rows: rows, accused: accused)
        return true
    }

    /// Whether a host that has lost a race is to be asked alone, so that it is known whether any is heard: once.
    mutating func askAlone() -> Bool {
        guard heard == nil, isPresent, !isDead, suspected == nil, !wasAskedAlone else { return false }
        wasAskedAlone = true
        return true
    }

    mutating func stepRound(at now: MonotonicTime) -> Round.Step? { round?.step(at: now) }
    mutating func ask(_ address: IPAddress, isCredible: Bool) { round?.add(address, isCredible: isCredible) }
    mutating func note(_ touch: UInt64, to address: IPAddress) {
        if round?.asked.contains(address) == true { round?.note(touch, to: address) }
    }
    mutating func withdraw(_ touch: UInt64) { round?.withdraw(touch) }
    mutating func tell(_ address: IPAddress, at now: MonotonicTime) {
        if round?.asked.contains(address) == true { round?.tell(at: now) }
    }
    mutating func miss(_ address: IPAddress) {
        if round?.asked.contains(address) == true { round?.miss() }
    }

    /// Notes whether a member of a round was heard that had been heard before.
    mutating func contrast(isHeard: Bool, at now: MonotonicTime) {
        contrast.append((now, isHeard))
        contrast.removeAll { $0.time + Rules.gap < now }
    }

    /// The part of those that were missed; 0 where that was none of them, or all.
    func missed(at now: MonotonicTime) -> Double {
        let recent = contrast.filter { $0.time + Rules.gap >= now }
        let heard = recent.count(where: \.isHeard)
        guard recent.count >= 3, heard > 0 else { return 0 }
        return min(Double(recent.count - heard) / Double(recent.count), 0.8)
    }

    /// Whether what was sent at a time met a dead way.
    func wasDead(at time: MonotonicTime) -> Bool {
        death.map { time >= $0.since } ?? false || outage?.contains(time) == true
    }

    /// No host is left to ask, or none was heard.
    mutating func die(_ culprit: Culprit, at now: MonotonicTime) {
        death = Death(since: suspected ?? now, culprit: culprit)
        (suspected, round, steps, rotated) = (nil, nil, 0, 0)
        uncharged = []
        (rotatedAt, rotationDue) = (now, now + Rules.rotation[0])
    }

    /// It is another's fault than was thought.
    mutating func accuse(_ culprit: Culprit) {
        if let death { self.death = Death(since: death.since, culprit: culprit) }
    }

    /// Ends the round without a verdict.
    mutating func acquit() { (suspected, round) = (nil, nil) }

    /// How many to ask now that it is dead, and when next.
    mutating func rotate(at now: MonotonicTime) -> Int {
        guard isDead, let due = rotationDue, due <= now else { return 0 }
        steps += 1
        rotatedAt = now
        rotationDue = now + Rules.rotation[min(steps, Rules.rotation.count - 1)]
        let count = rotated < Rules.rotated ? Rules.row : 1
        rotated += count
        return count
    }

    /// The reference that is asked along with the next of a rotation: one in every other step, each in its turn.
    var nextReference: Int? {
        isDead && steps % 2 == 0 && !references.isEmpty ? references[steps / 2 % references.count] : nil
    }

    // MARK: Hosts and targets

    /// Notes a target whose misses cannot be laid to it yet.
    mutating func hold(_ target: Int) { uncharged.insert(target) }

    /// Whether a target's misses wait to be laid to it.
    func isHolding(_ target: Int) -> Bool { uncharged.contains(target) }

    /// The targets whose misses may be laid to them now.
    mutating func takeUncharged() -> [Int] {
        defer { uncharged = [] }
        return uncharged.sorted()
    }

    mutating func forget(_ host: Int) {
        hosts.remove(host)
        slowHosts[host] = nil
        if witness == host { witness = nil }
    }

    /// Other targets are watched from now on.
    mutating func forgetTargets() {
        (tally, references, uncharged, isUsed) = (Tally(), [], [], false)
    }

    // MARK: What is not known any more

    /// All that was found over it is not known any more.
    mutating func forget() {
        generation += 1
        tally = Tally()
    }

    /// Its interface has another name, and is the same.
    mutating func rename(to interface: String) {
        way.interface = interface
        course?.way.interface = interface
    }

    /// Nothing is known of it: it is another one, or nothing was looked at.
    mutating func reset() {
        forget()
        (heard, suspected, round, death, rotationDue) = (nil, nil, nil, nil, nil)
        (uncharged, slowHosts, wasAskedAlone) = ([], [:], false)
        (slowUntil, lateAt, trafficHeard, contrast) = (nil, nil, nil, [])
        loss.forget()
    }

    private mutating func revive() {
        forget()
        (suspected, round, death, rotationDue) = (nil, nil, nil, nil)
    }
}
