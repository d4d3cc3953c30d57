internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

/// The lanes that the path wants, and what has followed from what they were told.
struct Lanes: Sendable {
    private(set) var all: [Lane] = []
    /// What has followed and was not fetched yet.
    private var output = LaneOutput()
    private var nextSerial: UInt64 = 0
    /// Where the jitter of the first lane begins.
    private let seed: UInt64
    /// Where names have led in lanes that are gone: another one may ask them without a way out.
    private var former: [Int: IPAddress] = [:]
    /// The loss for which the other uplinks were last asked.
    private var doubtedAt: MonotonicTime?

    init(seed: UInt64) { self.seed = seed }

    /// What has followed since this was called last.
    mutating func takeOutput() -> LaneOutput {
        defer { output = LaneOutput() }
        return output
    }

    /// When any of them is to be called.
    var wake: MonotonicTime? {
        var first: MonotonicTime?
        // By their places: a copy of a lane costs more than all that is looked at.
        for lane in all.indices {
            if let wake = all[lane].wake { first = min(first ?? wake, wake) }
        }
        return first
    }

    // MARK: What all are told

    /// Calls those that wanted to be called by now.
    mutating func wakeUp(at now: Instant, over watched: WatchedPath) {
        for lane in all.indices {
            if let wake = all[lane].wake, wake <= now.monotonic { feed(.timer, to: lane, at: now, over: watched) }
        }
    }

    mutating func feed(_ input: Assessor.Input, at now: Instant, over watched: WatchedPath) {
        for lane in all.indices { feed(input, to: lane, at: now, over: watched) }
    }

    private mutating func feed(_ input: Assessor.Input, to lane: Int, at now: Instant, over watched: WatchedPath) {
        add(all[lane].reduce(input, at: now, over: watched), of: lane)
    }

    private mutating func add(_ new: LaneOutput, of lane: Int) {
        output.add(new)
        if new.isWhole { output.news.wholeLanes.insert(lane) }
    }

    // MARK: Another path

    /// Follows a path: lanes that are gone end what they have under way, new ones begin, the others are told.
    ///
    /// - Parameter isUnwatched: Whether nothing was looked at before it.
    mutating func follow(_ watched: WatchedPath, from old: Path, isUnwatched: Bool, at now: Instant) {
        fit(to: watched, at: now)
        refitMembers(to: watched, from: old, at: now)
        let renamed = watched.path.renamed(since: old)
        for lane in all.indices {
            for (name, new) in renamed { feed(.renamed(name, to: new), to: lane, at: now, over: watched) }
            let network = watched.network(for: all[lane].key, all[lane].record.latest, former)
            if network != all[lane].network || isUnwatched { feed(.network(network), to: lane, at: now, over: watched) }
            if isUnwatched { feed(.resumed, to: lane, at: now, over: watched) }
            if watched.places.hasBound { rebind(lane, from: old, at: now, over: watched) }
        }
    }

    /// Has the lanes that the path wants, and no others.
    private mutating func fit(to watched: WatchedPath, at now: Instant) {
        let (wanted, before) = (watched.keys, all.map(\.key))
        guard wanted != before else { return }
        for lane in all where !wanted.contains(lane.key) {
            for (place, target) in lane.members.enumerated() {
                if let address = lane.record.latest.address(of: place) { former[target] = address }
            }
            output.cancelled += lane.assessor.underWay.map(lane.number)
            output.news.targets.formUnion(lane.members)
            output.news.hasVerdict = true
        }
        let share = Lane.Share(ofEach: wanted.count, watched.configuration)
        replace(by: wanted, share: share, at: now, over: watched) { $0 }
        // Those that stay share it with more than before, or with fewer.
        for lane in all.indices { all[lane].take(share) }
        for lane in all.indices where !before.contains(all[lane].key) {
            feed(.network(all[lane].network), to: lane, at: now, over: watched)
        }
    }

    /// Puts lanes by these ways in the place of those that there are, which are kept as the caller makes them.
    private mutating func replace(
        by wanted: [Lane.Key], share: Lane.Share, at now: Instant, over watched: WatchedPath,
        keeping: (Lane) -> Lane
    ) {
        let known = Dictionary(all.map { ($0.key, $0) }) { first, _ in first }
        all = wanted.map { key in
            if let lane = known[key] { return keeping(lane) }
            defer { nextSerial += 1 }
            return Lane(key, serial: nextSerial, seed: seed, share: share, over: watched, former: former, at: now)
        }
    }

    /// A lane whose interface is of another medium now, or beside other links, has the targets that may be asked by it now.
    private mutating func refitMembers(to watched: WatchedPath, from old: Path, at now: Instant) {
        for lane in all.indices where watched.hasOther(membersOf: all[lane].key, than: old) {
            let (before, members) = (all[lane].members, watched.members(of: all[lane].key))
            guard members != before else { continue }
            all[lane] = Lane(
                remaking: all[lane], watched.configuration.watched.places, share: all[lane].share, over: watched,
                former: former, at: now)
            feed(.network(all[lane].network), to: lane, at: now, over: watched)
            output.news.targets.formUnion(before + members)
            output.news.wholeLanes.insert(lane)
        }
    }

    /// Targets whose own interface is another one now are asked anew.
    private mutating func rebind(_ lane: Int, from old: Path, at now: Instant, over watched: WatchedPath) {
        guard all[lane].key.interface == nil else { return }
        let members = all[lane].members
        let places = members.indices.filter { watched.hasOther(interfaceFor: members[$0], than: old) }
        if !places.isEmpty { feed(.rebound(places), to: lane, at: now, over: watched) }
    }

    /// Has other targets watched from now on. What both have in common goes on to be known, and all is probed.
    mutating func configure(_ watched: WatchedPath, from old: ConnectivityConfiguration, at now: Instant) {
        let (wanted, known, before) = (watched.keys, all.map(\.key), old.watched.places)
        for lane in all where !wanted.contains(lane.key) {
            output.cancelled += lane.assessor.underWay.map(lane.number)
        }
        former = [:]
        let share = Lane.Share(ofEach: wanted.count, watched.configuration)
        replace(by: wanted, share: share, at: now, over: watched) { lane in
            Lane(remaking: lane, before, share: share, over: watched, former: [:], at: now)
        }
        for lane in all.indices {
            feed(.network(all[lane].network), to: lane, at: now, over: watched)
            if known.contains(all[lane].key) { feed(.requested, to: lane, at: now, over: watched) }
            output.news.wholeLanes.insert(lane)
        }
    }

    // MARK: Answers

    /// Takes the end of a target's probe in.
    ///
    /// - Returns: The result, and whether its lane is a captive one; nil for a probe that was given up, which says nothing.
    mutating func take(
        _ result: ProbeResult, of id: Probe.ID, at now: Instant, over watched: WatchedPath
    ) -> (result: ProbeResult, isCaptive: Bool)? {
        guard let (lane, ask) = asker(of: id),
            let (told, found) = all[lane].take(result, of: ask, at: now, over: watched)
        else { return nil }
        add(found, of: lane)
        return told.map { ($0, all[lane].isCaptive) }
    }

    /// Takes in what a prober tells beside its result.
    mutating func take(_ report: ProbeReport, at now: Instant, over watched: WatchedPath) {
        guard let (lane, ask) = asker(of: report.id),
            let input = all[lane].input(for: report, of: ask, over: watched)
        else { return }
        feed(input, to: lane, at: now, over: watched)
    }

    /// Which lane has asked, and which of its questions it is.
    private func asker(of id: Probe.ID) -> (lane: Int, ask: Ask.ID)? {
        let (serial, ask) = Lane.split(id)
        return all.indices.first { all[$0].serial == serial }.map { ($0, ask) }
    }

    /// Takes in what the host's own connections say; returns what has just made a lane suspect.
    mutating func take(
        _ evidence: [TrafficEvidence], at now: Instant, over watched: WatchedPath
    ) -> TrafficEvidence? {
        var stall: TrafficEvidence?
        for lane in all.indices {
            for own in evidence {
                guard let way = all[lane].way(of: own) else { continue }
                let (isStall, found) = all[lane].take(own, by: way, at: now, over: watched)
                add(found, of: lane)
                if isStall { stall = own }
            }
        }
        return stall
    }

    /// Has the other uplinks asked once the one that traffic leaves by is doubted.
    mutating func doubtSpares(at now: Instant, over watched: WatchedPath) {
        guard all.count > 1 else { return }
        let lost = lostSince(over: watched.path)
        guard let lost, doubtedAt != lost else {
            if lost == nil { doubtedAt = nil }
            return
        }
        doubtedAt = lost
        for lane in all.indices where !watched.path.isActive(all[lane].key) && !all[lane].isProven(since: lost) {
            feed(.doubted, to: lane, at: now, over: watched)
        }
    }

    // MARK: What is told of them

    /// Brings each one's judgement up to date.
    ///
    /// - Parameter isOfTargets: Whether any target may be otherwise than was told.
    /// - Returns: Those of which that holds because a person has to log in first now, or has done so.
    mutating func judge(
        _ portals: PortalWatch, isOfTargets: Bool, over watched: WatchedPath, at now: MonotonicTime
    ) -> Set<Int> {
        var turned: Set<Int> = []
        for lane in all.indices {
            let isCaptive = portals.portal(of: all[lane].key, over: watched.path)?.isCaptive == true
            if isCaptive != all[lane].isCaptive { turned.insert(lane) }
            all[lane].judge(
                isCaptive: isCaptive, isOfTargets: isOfTargets || !turned.isEmpty, watched.configuration, at: now)
        }
        return turned
    }

    /// Notes what was told of targets that are otherwise now: the lanes may have had other news to tell later, or none.
    mutating func note(told sights: [Sight]) {
        for sight in sights { all[sight.lane].note(told: sight.health, of: sight.place) }
    }
}

extension [Target] {
    /// The place of each.
    fileprivate var places: [Target: Int] {
        Dictionary(enumerated().map { ($1, $0) }) { first, _ in first }
    }
}
