internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

/// One way of asking: by the route, or bound to an interface, or in one family only. Each is assessed on its own.
struct Lane: Sendable {
    struct Key: Hashable, Sendable {
        var interface: String?
        var family: AddressFamily?

        /// By the route and in either family.
        static let route = Key()
    }

    /// How much of what may be under way at one time it has.
    struct Share: Sendable {
        let probes: Int
        /// How many addresses one probe may ask at once.
        let addresses: Int

        /// The share of each of so many. It looks at every target: not for each path.
        init(ofEach lanes: Int, _ configuration: ConnectivityConfiguration) {
            probes = configuration.limit(ofEach: lanes)
            addresses = min(Probe.mostAddresses, configuration.share(ofEach: lanes))
        }
    }

    let key: Key
    /// Counts the lanes of one reducer from 0, so that the questions of each have numbers of their own.
    let serial: UInt64
    private(set) var assessor: Assessor
    private(set) var record: LaneRecord
    private(set) var network: Network
    private(set) var traffic = LaneTraffic()
    private(set) var share: Share
    /// When its assessor is to be called.
    private(set) var wake: MonotonicTime?
    private(set) var judgement = Judgement(.unknown)
    /// The verdict that the judgement tells.
    private(set) var judged: Verdict?
    /// Since when the judgement has had its status.
    private(set) var since: MonotonicTime?
    /// Whether the network's own portal says that a person has to log in first.
    private(set) var isCaptive = false
    /// What its assessor had found when that was looked at last.
    private var found: (revision: UInt64, verdict: Verdict?, isApplicable: Bool) = (0, nil, true)
    /// Whether the last answer that was dated was so far from this host's time.
    private var isDateOff = false

    /// - Parameters:
    ///   - seed: Where the jitter of the first lane begins.
    ///   - former: Where names have led in lanes that are gone.
    init(
        _ key: Key, serial: UInt64, seed: UInt64, share: Share, over watched: WatchedPath, former: [Int: IPAddress],
        at now: Instant
    ) {
        let members = watched.members(of: key)
        let settings = watched.settings(for: members, limit: share.probes)
        (self.key, self.serial, self.share) = (key, serial, share)
        assessor = Assessor(settings, at: now.monotonic, seed: seed &+ serial)
        record = LaneRecord(of: members)
        network = watched.network(for: key, record.latest, former)
    }

    /// A lane for other targets that goes on from what another one for the same way knew of those that both ask.
    ///
    /// - Parameter before: Where the targets stood in the configuration then.
    init(
        remaking old: Lane, _ before: [Target: Int], share: Share, over watched: WatchedPath,
        former: [Int: IPAddress], at now: Instant
    ) {
        let members = watched.members(of: old.key)
        let settings = watched.settings(for: members, limit: share.probes)
        var places: [Int?] = members.map { before[watched.configuration.targets[$0]].flatMap(old.place) }
        places += settings.targets.dropFirst(members.count).map { _ in nil }
        (key, serial, self.share) = (old.key, old.serial, share)
        assessor = Assessor(settings, adopting: old.assessor, places: places, at: now.monotonic)
        record = LaneRecord(of: members, from: old.record, at: places)
        network = watched.network(for: old.key, record.latest, former)
        traffic = LaneTraffic(from: old.traffic)
        (judgement, judged, since) = (old.judgement, old.judged, old.since)
        (isCaptive, isDateOff) = (old.isCaptive, old.isDateOff)
    }

    /// The place in the configuration of each target of the assessor; its witnesses come after them.
    var members: [Int] { record.latest.members }

    /// Where a target of the configuration stands among those of the assessor; nil where the lane does not ask it.
    func place(of target: Int) -> Int? { record.latest.place(of: target) }

    /// Has it share what may be under way with more lanes than before, or with fewer.
    mutating func take(_ share: Share) {
        self.share = share
        assessor.limit = share.probes
    }

    /// Notes what was told of a target beside what the assessor announces: what differs from that is news.
    mutating func note(told health: Health, of place: Int) { assessor.note(told: health, of: place) }

    // MARK: What it is told

    /// Hands an input to the assessor, and sends what that asks.
    mutating func reduce(_ input: Assessor.Input, at now: Instant, over watched: WatchedPath) -> LaneOutput {
        if case .network(let new) = input { network = new }
        var output = LaneOutput()
        var inputs = [input]
        while let next = inputs.popLast() {
            let found = assessor.reduce(next, at: now.monotonic)
            if takeVerdict() { (output.isWhole, output.news.hasVerdict) = (true, true) }
            wake = found.wake
            output.cancelled += found.cancelled.map(number)
            output.putOff += found.putOff
            if let absence = found.absence {
                output.news.absence = absence
                record.forget()
            }
            for ask in found.asks {
                // Answered without being sent: that may lead to more.
                if let answer = output.add(question(ask, over: watched)) { inputs.append(.ended(ask.id, answer)) }
            }
            output.results += takeNames(found, at: now, over: watched)
            if let announcement = found.announcement { output.add(announcement, of: members) }
        }
        return output
    }

    /// Looks at the assessor's verdict; returns whether it is another one than before.
    private mutating func takeVerdict() -> Bool {
        guard assessor.revision != found.revision else { return false }
        let old = found
        found = (assessor.revision, assessor.verdict, assessor.isApplicable)
        return old.verdict != found.verdict || old.isApplicable != found.isApplicable
    }

    /// Notes how long names took, and returns those that were not found as of probes that failed.
    private mutating func takeNames(
        _ found: Assessor.Output, at now: Instant, over watched: WatchedPath
    ) -> [ProbeResult] {
        for (places, took) in found.resolved {
            for place in places { record.note(lookUp: took, for: place) }
        }
        var results: [ProbeResult] = []
        for (places, reason, since) in found.unresolved {
            for place in places where place < members.count {
                let target = watched.configuration.targets[members[place]]
                var result = Self.unresolved(
                    target.name, reason, after: since.duration(to: now.monotonic), at: now.monotonic)
                // As of those that are sent: it is one and the same way.
                result.interface = key.interface ?? watched.path.interface(for: target)
                result.family = key.family ?? target.family
                results.append(record.note(result, of: place, fall: watched.configuration.fall(of: target)))
            }
        }
        return results
    }

    // MARK: Results

    /// Takes the end of a target's probe in.
    ///
    /// - Returns: The result as it is told; nil where it is none of a target. Nil for a probe that was given up, which says
    ///   nothing.
    mutating func take(
        _ result: ProbeResult, of ask: Ask.ID, at now: Instant, over watched: WatchedPath
    ) -> (told: ProbeResult?, LaneOutput)? {
        guard let place = assessor.target(of: ask) else { return nil }
        var output = takeDate(of: result, by: place, at: now, over: watched)
        guard place < members.count else {
            output.add(reduce(.ended(ask, Answer(result, at: now)), at: now, over: watched))
            return (nil, output)
        }
        let target = watched.configuration.targets[members[place]]
        let isPassing = isPassing(result, of: place, at: now.monotonic)
        let result = worded(result, of: target, ask)
        if result.outcome != .cancelled {
            let noted = record.note(result, of: place, fall: watched.configuration.fall(of: target))
            output.results.append(noted)
            // Another address is gone, or back, though the target is up all the while.
            if noted.addresses != nil { output.news.results.insert(members[place]) }
        }
        output.add(reduce(.ended(ask, isPassing ? .void : Answer(result, at: now)), at: now, over: watched))
        // The result may say in more detail why nothing answers.
        if judgement.status != .full, newJudgement(isOfTargets: output.isOfTargets) != judgement {
            output.news.hasVerdict = true
        }
        return (result, output)
    }

    /// Tells the assessor of dates that are far from this host's, and of the first that are not any more.
    private mutating func takeDate(
        of result: ProbeResult, by place: Int, at now: Instant, over watched: WatchedPath
    ) -> LaneOutput {
        guard result.outcome == .success, let offset = result.dateOffset else { return LaneOutput() }
        let isOff = Assessor.isOff(offset)
        guard isOff || isDateOff else { return LaneOutput() }
        isDateOff = isOff
        return reduce(.dated(place, offset: offset), at: now, over: watched)
    }

    /// Whether a result is no evidence of a target that was known: something was wanting on this host, perhaps for a moment
    /// only. It is evidence once it has lasted, or keeps another target from being asked, too.
    private mutating func isPassing(_ result: ProbeResult, of place: Int, at now: MonotonicTime) -> Bool {
        guard let lack = record.lack(by: result, of: place, at: now) else { return false }
        return assessor.health(of: place).status != .unknown && lack < Self.passing && !assessor.hasUnsent
    }

    /// What is wanting for so long is wanting at three probes in a row, which are a second apart.
    private static let passing = Duration.milliseconds(1500)

    // MARK: The host's own connections

    /// Takes in what they say of one of its ways; tells whether that has just made the lane suspect.
    mutating func take(
        _ evidence: TrafficEvidence, by way: Way, at now: Instant, over watched: WatchedPath
    ) -> (isStall: Bool, LaneOutput) {
        guard let since = evidence.stalledSince else {
            guard let heard = evidence.heard else { return (false, LaneOutput()) }
            traffic.note(heard: heard)
            // When that was asked for is not told; it was a little before.
            let sentAt = heard.advanced(by: .seconds(-1))
            return (false, reduce(.trafficHeard(way, sentAt: sentAt), at: now, over: watched))
        }
        guard isWatchable, traffic.isCredible(stalledSince: since, at: now.monotonic) else {
            return (false, LaneOutput())
        }
        let wasDoubted = traffic.stalledSince != nil
        let output = reduce(.trafficSilent(way, since: since), at: now, over: watched)
        guard !wasDoubted, assessor.suspectSince != nil else { return (false, output) }
        traffic.note(stalledSince: since)
        return (true, output)
    }

    // MARK: Judging

    /// Brings the judgement up to date.
    ///
    /// - Parameters:
    ///   - isCaptive: Whether the network's own portal says that a person has to log in.
    ///   - isOfTargets: Whether any target may be otherwise than was told.
    mutating func judge(
        isCaptive: Bool, isOfTargets: Bool, _ configuration: ConnectivityConfiguration, at now: MonotonicTime
    ) {
        let old = judgement.status
        self.isCaptive = isCaptive
        judgement = newJudgement(isOfTargets: isOfTargets)
        judged = assessor.verdict
        if assessor.suspectSince == nil {
            traffic.refute(at: now, pause: configuration.retryDelay, limit: configuration.interval)
        }
        if judgement.status != old { since = now }
    }
}
