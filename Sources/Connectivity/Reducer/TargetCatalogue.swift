internal import EventLoop
internal import Evidence
internal import Reachability

/// What was told of each target.
struct TargetCatalogue: Sendable {
    private(set) var health: [TargetHealth]
    /// How many of them were told to be up or down.
    private var known: Int
    /// How many were told to be up, and nothing else of them.
    private var well: Int
    /// Since when all of them are to be as unknown as was told in one word, which is worked out after that.
    private var blankSince: Instant?
    /// Where a target stands in it, by its name.
    private let placeOf: [String: Int]

    /// - Parameter old: What was told while other targets were watched.
    init(_ targets: [Target], after old: [TargetHealth] = []) {
        let told = Dictionary(old.map { ($0.target, $0) }) { first, _ in first }
        health = targets.map { told[$0.name] ?? TargetHealth(target: $0.name, status: .unknown) }
        known = health.count { $0.status != .unknown }
        well = health.count(where: \.isWell)
        placeOf = Dictionary(zip(health.lazy.map(\.target), health.indices)) { first, _ in first }
    }

    /// Whether a target is up, by its name.
    func isUp(_ name: String) -> Bool {
        guard !isBlank else { return false }
        return placeOf[name].map { health[$0].status == .up } ?? false
    }

    // MARK: All in one word

    /// Whether it has yet to be worked out for each target what was told in one word.
    var isBlank: Bool { blankSince != nil }

    /// Whether it is one word that nothing is known of any target, as after the loss of the only way out: there are many, and
    /// it does not wait until it is written down for each.
    var mayBeBlank: Bool { health.count > Event.mostForgotten && (known == 0 || known > Event.mostForgotten) }

    /// Has nothing known of any target from now on; returns of how many something was.
    mutating func forget(at now: Instant) -> Int {
        blankSince = now
        return known
    }

    /// Writes down for each target what was told in one word.
    ///
    /// - Returns: What the lanes see of those that are otherwise now.
    mutating func catchUp(_ lanes: [Lane], over watched: WatchedPath) -> [Sight] {
        guard let since = blankSince.take() else { return [] }
        // Asked once: each question to what is within a lane copies it.
        let found = lanes.map { $0.isCaptive ? $0.members.map { _ in Sight.behindPortal } : $0.assessor.healthOfAll }
        let results = lanes.map(\.record.latest)
        var (seen, changed) = ([Sight](), [Sight]())
        for target in health.indices {
            seen.removeAll(keepingCapacity: true)
            for lane in results.indices {
                guard let place = results[lane].place(of: target) else { continue }
                let end = results[lane].end(of: place)
                seen.append(Sight(lane: lane, place: place, health: found[lane][place], end: end))
            }
            if examine(target, seen, lanes, watched, UntoldNews(), at: since.monotonic).isChanged { changed += seen }
        }
        return changed
    }

    // MARK: Each for itself

    /// Brings what was told of some targets up to date.
    ///
    /// - Returns: Those of which there is something to tell, and what the lanes see of those that are otherwise now.
    mutating func examine(
        _ targets: [Int], _ lanes: [Lane], over watched: WatchedPath, _ news: UntoldNews, at now: MonotonicTime
    ) -> (news: [Int], changed: [Sight]) {
        var changed: [Sight] = []
        let told = targets.filter { target in
            guard target < health.count else { return false }
            let seen = Self.sights(of: target, lanes)
            let found = examine(target, seen, lanes, watched, news, at: now)
            if found.isChanged { changed += seen }
            return found.isNews
        }
        return (told, changed)
    }

    /// All targets but those that are up, as was told: of thousands most are, each time that the path changes.
    func doubtful(_ lanes: [Lane], over watched: WatchedPath) -> [Int] {
        guard lanes.count == 1, !watched.probesEachAddress, !lanes[0].isCaptive, lanes[0].members.count == health.count
        else { return Array(health.indices) }
        // Asked once: each question to an assessor within a lane copies it.
        var notUp = lanes[0].assessor.notUp[...]
        if notUp.isEmpty, well == health.count { return [] }
        return health.indices.filter { target in
            if notUp.first == target { return notUp.popFirst() != nil }
            return !health[target].isWell
        }
    }

    private static func sights(of target: Int, _ lanes: [Lane]) -> [Sight] {
        lanes.indices.compactMap { lane in
            guard let place = lanes[lane].place(of: target) else { return nil }
            let health = lanes[lane].isCaptive ? Sight.behindPortal : lanes[lane].assessor.health(of: place)
            return Sight(lane: lane, place: place, health: health, end: lanes[lane].record.latest.end(of: place))
        }
    }

    /// Up where it answers over one uplink; down where it does not, and no other could still tell.
    private static func status(_ seen: [Sight]) -> TargetHealth.Status {
        if seen.contains(where: { $0.health.status == .up }) { return .up }
        return seen.contains { $0.health.status == .down } ? .down : .unknown
    }

    /// Writes down what the lanes see of a target; returns whether its status is another one, and whether there is news.
    private mutating func examine(
        _ target: Int, _ seen: [Sight], _ lanes: [Lane], _ watched: WatchedPath, _ news: UntoldNews,
        at now: MonotonicTime
    ) -> (isChanged: Bool, isNews: Bool) {
        let status = Self.status(seen)
        var new = TargetAccount(of: target, status, seen, lanes, over: watched)
        let isAnnounced = news.targets.contains(target)
        if status == .down, watched.probesEachAddress || !isAnnounced {
            new.keepWord(of: health[target], anyWord: !isAnnounced && news.results.contains(target))
        }
        let end = seen.lazy.compactMap(\.end).max()
        // In its place: after the loss of the only way out thousands are written down.
        let old = health[target].become(status, new, checkedAt: end, at: now)
        known += (status == .unknown ? 0 : 1) - (old.status == .unknown ? 0 : 1)
        well += (health[target].isWell ? 1 : 0) - (old.status == .up && old.reason == nil ? 1 : 0)
        guard old.status == status else { return (true, true) }
        let isOwn = watched.configuration.targets[target].role == .target
        return (false, health[target].isNews(after: old.reason, old.blame, isOwn: isOwn))
    }

    // MARK: What an event tells

    /// What is to be told of some targets, of which there is news. Where many are not known any more and no other is, that is
    /// one fact.
    func news(of targets: [Int], _ results: [LatestResults]) -> TargetNews {
        let forgotten = targets.count { health[$0].status == .unknown }
        let named = Set(targets)
        var news = TargetNews()
        news.othersUnknown =
            forgotten > Event.mostForgotten
            && health.indices.allSatisfy { health[$0].status == .unknown || named.contains($0) }
        if targets.count - forgotten > Event.mostForgotten, let news = othersUp(named, results) { return news }
        let own = news.othersUnknown ? targets.filter { health[$0].status != .unknown } : targets
        news.named = own.map { health[$0] }
        news.probes = results.all(of: own)
        return news
    }

    /// That all are up and well but those that are named; nil where these are not few.
    private func othersUp(_ new: Set<Int>, _ results: [LatestResults]) -> TargetNews? {
        let others = health.indices.filter { !health[$0].isWell }
        guard others.count <= Event.mostForgotten else { return nil }
        return TargetNews(
            named: others.map { health[$0] }, probes: results.all(of: others.filter(new.contains)), othersUp: true)
    }
}

/// What an event tells of targets.
struct TargetNews {
    var named: [TargetHealth] = []
    var probes: [ProbeResult] = []
    /// Whether all others are up and well.
    var othersUp = false
    /// Whether nothing is known of any other.
    var othersUnknown = false

    var isEmpty: Bool { named.isEmpty && !othersUp && !othersUnknown }
}

extension [LatestResults] {
    /// The latest results of some targets, over each lane.
    fileprivate func all(of targets: [Int]) -> [ProbeResult] {
        targets.flatMap { target in compactMap { $0.result(of: target) } }
    }
}

extension TargetHealth {
    /// Whether it is up, and there is nothing else to tell of it.
    fileprivate var isWell: Bool { status == .up && reason == nil }

    /// Whether there is something to tell though the status is as it was.
    fileprivate func isNews(after old: ConnectivityReason?, _ oldBlame: Blame?, isOwn: Bool) -> Bool {
        switch status {
        // An address that is gone, or back, is news though the target is up all the while.
        case .up: reason != old
        // Nor does it stay down for what it went down for.
        case .down: reason != old || blame != oldBlame
        // So is whose fault it is that nothing is known of it.
        case .unknown:
            (blame != nil && blame != oldBlame) || (reason == .notPermitted && old != .notPermitted && isOwn)
        }
    }

    /// - Returns: What it was.
    fileprivate mutating func become(
        _ new: Status, _ account: TargetAccount, checkedAt: MonotonicTime?, at now: MonotonicTime
    ) -> (status: Status, reason: ConnectivityReason?, blame: Blame?) {
        defer {
            if status != new { (status, sinceMonotonic) = (new, now) }
            checkedMonotonic = checkedAt ?? checkedMonotonic
            (reason, blame, evidence) = (account.reason, account.blame, account.evidence)
            addresses = account.addresses
        }
        return (status, reason, blame)
    }
}
