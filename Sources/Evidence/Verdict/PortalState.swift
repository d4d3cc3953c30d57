internal import EventLoop

/// A portal that stands between this host and all others, as long as one does.
struct PortalState: Sendable {
    private(set) var since: MonotonicTime?
    /// When the first exchange was sent that was waited for in vain when it was proved, and when it was left.
    private var (began, ended): (MonotonicTime?, MonotonicTime?)
    /// The target that has proved it.
    private(set) var witness: Int?
    private var askedAt: MonotonicTime?
    /// How often it was looked for.
    private(set) var looks = 0
    /// When it answered last.
    private var metAt: MonotonicTime?
    private var soughtAt: MonotonicTime?

    init() {}

    /// The same under other targets.
    ///
    /// - Parameter witness: The place that its witness has among them.
    init(_ old: PortalState, witness: Int) {
        (since, began, ended, metAt, self.witness) = (old.since, old.began, old.ended, old.metAt, witness)
    }

    var stands: Bool { since != nil }

    /// Whether what was sent at a time met one that stands, or the last that stood.
    func wasMet(at time: MonotonicTime) -> Bool {
        guard let began, time >= began else { return false }
        return ended.map { time <= $0 } ?? true
    }

    /// - Parameter began: When the first exchange was sent that is waited for in vain.
    /// - Returns: Whether it is new.
    mutating func enter(provenBy target: Int, began: MonotonicTime, at now: MonotonicTime) -> Bool {
        (witness, metAt) = (target, now)
        guard !stands else { return false }
        (since, self.began, ended) = (now, began, nil)
        return true
    }

    /// Notes that it has answered in the place of a target.
    mutating func meet(at now: MonotonicTime) { if stands { metAt = now } }

    /// Whether it has not answered for so long that nothing is known of it: its witness may not even be found.
    func isLost(at now: MonotonicTime) -> Bool { stands && metAt.map { $0 + Rules.portal * 4 <= now } ?? false }

    mutating func leave(at now: MonotonicTime) {
        if stands { (since, ended) = (nil, now) }
    }

    /// Notes that a portal is looked for in the place of what is wrong anyhow; false where one was since a while ago.
    mutating func seek(after pause: Duration = Rules.apart, at now: MonotonicTime) -> Bool {
        guard soughtAt.map({ $0 + pause <= now }) ?? true else { return false }
        soughtAt = now
        return true
    }

    /// Whether its witness is to be asked: not where something else has had it asked in the meantime, which has planned the
    /// next time, too.
    func isDue(at now: MonotonicTime) -> Bool { askedAt.map { $0 + Rules.portal <= now } ?? true }

    /// Whether it was not asked just now.
    func mayBeAsked(at now: MonotonicTime) -> Bool { stands && askedAt.map { $0 + Rules.apart <= now } ?? true }

    /// Has its witness asked whether it still stands; nil where there is none.
    mutating func ask(at now: MonotonicTime) -> Int? {
        guard stands, let witness else { return nil }
        askedAt = now
        looks &+= 1
        return witness
    }
}
