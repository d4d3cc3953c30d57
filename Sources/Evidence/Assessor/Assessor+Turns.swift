internal import EventLoop
internal import NetworkAddress

/// Whose turn it is when.
extension Assessor {
    mutating func planTurns(at now: MonotonicTime) {
        isStarted = true
        for target in targets.indices where settings.targets[target].role != .witness { planNext(target, at: now) }
    }

    /// Plans the turns that came while there was no way, of targets that the sweep has passed: of some something is known all
    /// the same, as that no route leads there.
    private mutating func planMissedTurns(at now: MonotonicTime) {
        for target in targets.indices where targets[target].due == nil && targets[target].ask == nil {
            if !needsLook(target) { planNext(target, at: now) }
        }
    }

    mutating func plan(_ target: Int, at time: MonotonicTime) {
        guard settings.targets[target].role != .witness, targets[target].due.map({ time < $0 }) ?? true else { return }
        targets[target].due = time
        dueQueue.add(.turn(target), at: time)
    }

    /// Plans the next turn of a target: each has its own place in the interval, so that they are spread evenly.
    mutating func planNext(_ target: Int, at now: MonotonicTime) {
        guard settings.targets[target].role != .witness else { return }
        let interval = settings.targets[target].interval * stretch(of: target)
        let nanoseconds = UInt64(max(interval.nanosecondsRounded, 1))
        let place = (Double(target) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        let offset = UInt64(place * Double(nanoseconds))
        let since = now.nanoseconds &- start.nanoseconds
        let turns = since >= offset ? (since - offset) / nanoseconds + 1 : 0
        var next = start.nanoseconds + offset + turns * nanoseconds
        let slack = Double(nanoseconds) * (settings.targets[target].jitter ?? settings.jitter) / 2
        if slack > 1 { next &+= UInt64(Double.random(in: 0..<slack, using: &random)) }
        targets[target].due = MonotonicTime(nanoseconds: next)
        dueQueue.add(.turn(target), at: MonotonicTime(nanoseconds: next))
    }

    /// How much more seldom a target is asked than its interval says: where each probe costs, and it is well.
    private func stretch(of target: Int) -> Int {
        guard targets[target].known == .up, let way = targets[target].way else { return 1 }
        return ways[way].course?.stretch ?? 1
    }

    mutating func turn(_ target: Int, at now: MonotonicTime) {
        targets[target].due = nil
        guard !isBeingAsked(target) else { return planNext(target, at: now) }
        let isConfirming = targets[target].isConfirming
        // Nothing is planned while there is no way: another path has all asked that are not known.
        guard network.isReachable || network.near.contains(target) else { return }
        // Whether this host can send again is told by no way.
        let isAsked = targets[target].known == .unsent && !portal.stands
        guard isAsked || (isConfirming && !isCutOff(target)) || !isBlocked(target) else {
            targets[target].isConfirming = false
            return planNext(target, at: now)
        }
        if isShownByTraffic(target, at: now) {
            output.putOff += 1
            return planNext(target, at: now)
        }
        if let name = names.index(of: target), names.isFailing(name), !names[name].isValid(at: now) {
            // Those that are asked for tell when it is over; the others have their next turn.
            guard names.askedAgain < limit else { return planNext(target, at: now) }
        } else {
            guard probing < limit else { return line.join(target) }
        }
        look(target, at: now)
        // Of a reference that is wrong anyhow nothing is learnt: another one is asked in its place.
        if case .down? = targets[target].known, settings.targets[target].role == .reference { seekPortal(at: now) }
        if targets[target].due == nil, targets[target].ask == nil { planNext(target, at: now) }
    }

    /// Whether the host's own traffic shows what a reference would: not where anything speaks against it, and not for ever.
    private func isShownByTraffic(_ target: Int, at now: MonotonicTime) -> Bool {
        let (state, watched) = (targets[target], settings.targets[target])
        guard watched.role == .reference, !state.isWanted, health(of: target).status == .up, state.misses.isEmpty,
            tally.down == 0, let way = state.way,
            let heard = ways[way].trafficHeard, ways[way].suspected == nil, !ways[way].isDead, let good = state.goodAt
        else { return false }
        let limit = max(watched.interval, min(watched.interval * Rules.mostPutOff, Rules.longestPutOff))
        return heard + min(watched.interval, Rules.mostSilence) > now && good + limit > now
    }

    /// Turns that waited for a place.
    mutating func fillPlaces(at now: MonotonicTime) {
        while probing < limit, let target = line.next() {
            // Its way may have died while it waited.
            turn(target, at: now)
        }
    }

    /// Whether what it does would say nothing now: its way is dead, or a portal answers for all.
    private func isBlocked(_ target: Int) -> Bool {
        portal.stands || isCutOff(target)
    }

    /// Whether all ways that lead to it are dead.
    private func isCutOff(_ target: Int) -> Bool { cutOff(target) != nil }

    /// The death of the ways that lead to a target, where all of them are dead.
    func cutOff(_ target: Int) -> WayState.Death? {
        // Of each, when another path comes: mostly one of the ways lives, and no list of them is made.
        if targets[target].hosts.contains(where: { isAlive(hosts[$0].way) }) { return nil }
        let own = targets[target].hosts.map { hosts[$0].way }.filter { ways[$0].isPresent }
        let leading = own.isEmpty ? generalWays : own
        guard leading.allSatisfy({ ways[$0].isDead }), !hasUntriedFamily(target, besides: own) else { return nil }
        return leading.last.flatMap { ways[$0].death }
    }

    private func isAlive(_ way: Int) -> Bool { ways[way].isPresent && !ways[way].isDead }

    /// Whether a target has addresses of a family that always lost the race, and whose way is not dead.
    private func hasUntriedFamily(_ target: Int, besides own: [Int]) -> Bool {
        guard let first = own.first.map({ ways[$0].way.family }) else { return false }
        let addresses = names.index(of: target).map { names[$0].addresses } ?? settings.targets[target].addresses
        guard addresses.contains(where: { $0.family != first }) else { return false }
        let tried = Set(own.map { ways[$0].way.family })
        return generalWays.contains { way in
            let family = ways[way].way.family
            return !ways[way].isDead && !tried.contains(family) && addresses.contains { $0.family == family }
        }
    }

    /// Whether it is asked now, or will be once its name is found.
    func isBeingAsked(_ target: Int) -> Bool { targets[target].ask != nil || isWaitingForName(target) }

    /// Whether its name is being asked for, or will be. What waited for a name that is not asked for any more does not: a
    /// witness, which has no turns, would wait for ever.
    func isWaitingForName(_ target: Int) -> Bool {
        targets[target].isWaiting && names.index(of: target).map { !names[$0].isIdle } ?? false
    }

    /// Asks a target, after its name where that is not known.
    mutating func look(_ target: Int, at now: MonotonicTime) {
        guard let name = names.index(of: target) else {
            return probe(target, at: settings.targets[target].addresses, at: now)
        }
        if names[name].isValid(at: now) { return probe(target, at: names[name].addresses, at: now) }
        if !targets[target].isWaiting {
            targets[target].isWaiting = true
            names[name].waiting.append(target)
        }
        if names[name].isIdle { attempt(name, at: now) }
    }

    /// What is under way and takes a place: not what is asked again about names that are not found, which may go on for long.
    private var probing: Int { open.count - names.askedAgain }

    mutating func probe(_ target: Int, at addresses: [IPAddress], at now: MonotonicTime) {
        let watched = settings.targets[target]
        var timeout = watched.timeout
        if targets[target].isConfirming {
            let usual = targets[target].hosts.last.map { hosts[$0].usual } ?? Usual()
            timeout = min(timeout, max(Rules.round, usual.isKnown ? usual.lateness : .zero))
        }
        targets[target].due = nil
        targets[target].isWanted = false
        let id = ask(.probe(target: target, addresses: addresses), timeout: timeout, at: now)
        targets[target].ask = id
        lookAfter(id, until: now + timeout + patience(with: target), at: now)
    }

    /// How long after its time-out a target's probe is taken to be under way.
    private func patience(with target: Int) -> Duration {
        max(settings.targets[target].interval * max(settings.staleIntervals - 1, 1), Rules.absence)
    }

    /// Plans a look at a probe that may never end. No later than in a while: few of those that end by then are remembered.
    private mutating func lookAfter(_ id: Ask.ID, until end: MonotonicTime, at now: MonotonicTime) {
        dueQueue.add(.overdue(id), at: min(end, now + Rules.longestPatience))
    }

    /// A probe has not ended long after its time-out: the prober is stuck, and nothing is known of its target.
    mutating func giveUp(_ id: Ask.ID, at now: MonotonicTime) {
        guard let stuck = open[id], case .probe(let target, _) = stuck.ask.question else { return }
        let end = stuck.sentAt + stuck.ask.timeout + patience(with: target)
        guard end <= now else { return lookAfter(id, until: end, at: now) }
        open[id] = nil
        output.cancelled.append(id)
        targets[target].ask = nil
        settle(target, nil, way: nil, at: now)
        planNext(target, at: now)
    }

    // MARK: All of them

    /// Asks all that are not known, references first, a few at a time.
    mutating func startSweep(at now: MonotonicTime) {
        openUntil = now + Rules.patience
        dueQueue.add(.publish, at: now + Rules.settling)
        dueQueue.add(.publish, at: now + Rules.patience)
        if isFirst { dueQueue.add(.publish, at: now + Rules.longestPatience) }
        // What has brought it about is told before hundreds are looked at.
        let first = total > Rules.sweepBurst ? now + Rules.sweepPause : now
        sweep.begin(at: first)
        dueQueue.add(.sweep, at: first)
    }

    mutating func sweepOn(at now: MonotonicTime) {
        guard sweep.resume(at: now) else { return }
        while let step = nextStep() {
            let due = sweep.take(step, at: now)
            turn(target(ofStep: step), at: now)
            if let due { return dueQueue.add(.sweep, at: due) }
        }
        sweep.end()
        planMissedTurns(at: now)
    }

    /// The next step of the sweep at which something is to be asked: references are passed first, the others after them.
    ///
    /// Changes nothing, so that the steps between are taken without a copy of all that is known for each.
    private func nextStep() -> Int? {
        let end = referring.count + targets.count
        guard let first = sweep.next, first < end else { return nil }
        return (first..<end).first { step in
            let target = target(ofStep: step)
            let isFirst = step < referring.count
            return (settings.targets[target].role == .reference) == isFirst && needsLook(target)
        }
    }

    private func target(ofStep step: Int) -> Int {
        step < referring.count ? referring[step] : step - referring.count
    }

    private func needsLook(_ target: Int) -> Bool {
        settings.targets[target].role != .witness && targets[target].ask == nil
            && (health(of: target).status == .unknown || isDownByWord(target))
            && !isWaitingForName(target) && !isBlocked(target)
            && (network.isReachable || network.near.contains(target))
            && (targets[target].known != .inapplicable || !isCurrent(target))
    }

    /// Whether a target is down by what was said of its route or its name: that may be otherwise by now, and nothing else may be
    /// planned to tell.
    private func isDownByWord(_ target: Int) -> Bool {
        if targets[target].way == nil, case .down? = targets[target].known { return true }
        return names.failure != nil && health(of: target).status == .down
            && names.index(of: target).map { names[$0].isIdle } ?? false
    }
}

extension Duration {
    var nanosecondsRounded: Int64 { Int64(seconds * 1e9) }
}
