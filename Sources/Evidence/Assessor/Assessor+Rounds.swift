internal import EventLoop
internal import NetworkAddress

/// How a way that is doubted is found to be alive or dead.
extension Assessor {
    /// An exchange is late, or missed, that was sent after any other that was heard.
    mutating func suspect(_ way: Int, since: MonotonicTime, at now: MonotonicTime) {
        guard startRound(way, since: since, at: now) else { return }
        for kin in kin(of: way) where startRound(kin, since: since, at: now) { stepRound(kin, at: now) }
        stepRound(way, at: now)
    }

    private mutating func startRound(_ way: Int, since: MonotonicTime, at now: MonotonicTime) -> Bool {
        guard ways[way].isPresent else { return false }
        if ways[way].suspected == nil, !ways[way].isDead { introduceLiving(to: way) }
        let wait = min(max(Rules.round, .seconds(1) + ways[way].usual.mean * 3), .seconds(4))
        let loss = ways[way].loss.loss(at: now)
        return ways[way].suspect(
            since: since, wait: wait, rows: Self.rows(loss), accused: accusedAddresses(way, since: since), at: now)
    }

    /// Where no host was ever heard over a way, because all answer by the other family: those of living targets may be asked by
    /// it, too, at their addresses of this one.
    mutating func introduceLiving(to way: Int) {
        let isAnyHeard = ways[way].hosts.first.map { hosts[$0].heard != nil } ?? false
        guard ways[way].reachesAll, ways[way].way.translator == nil, !isAnyHeard else { return }
        var count = 0
        for target in targets.indices where targets[target].known == .up && isCurrent(target) && leadsOut(target) {
            let known = names.index(of: target).map { names[$0].addresses } ?? settings.targets[target].addresses
            guard let own = known.first(where: { $0.family == ways[way].way.family }) else { continue }
            _ = index(of: Host(address: own, way: ways[way].way))
            count += 1
            if count == Rules.row { return }
        }
    }

    /// How many rows have to be silent before loss alone is no explanation.
    static func rows(_ loss: Double) -> Int {
        var (rows, chance) = (1, 1.0)
        guard loss >= 0.05 else { return 1 }
        // Eight hosts, two tries each.
        for _ in 0..<16 { chance *= loss }
        var all = chance
        while rows < 4, all > 1e-6 { (rows, all) = (rows + 1, all * chance) }
        return max(rows, 2)
    }

    /// The ways that have something in common with one: its interface, or the link under a tunnel.
    func kin(of way: Int) -> [Int] {
        let (own, below) = (ways[way].way.interface, ways[way].course?.below ?? [])
        return ways.indices.filter { other in
            guard other != way, ways[other].isPresent,
                ways[other].hosts.first != nil || !translated(from: other).isEmpty
            else { return false }
            return ways[other].way.interface == own || below.contains(ways[other].way.interface)
        }
    }

    mutating func stepRound(_ way: Int, at now: MonotonicTime) {
        while let step = ways[way].stepRound(at: now) {
            switch step {
            case .ask(let count):
                askRow(way, count, at: now)
                if ways[way].reachesAll, let since = ways[way].suspected { askForPortal(since: since, at: now) }
            case .end:
                endRound(way, at: now)
                return
            }
        }
        if let due = ways[way].round?.due { dueQueue.add(.round(way), at: due) }
    }

    private mutating func askRow(_ way: Int, _ count: Int, at now: MonotonicTime) {
        guard let round = ways[way].round else { return }
        if let neighbor = ways[way].way.loopbackNeighbor { _ = index(of: neighbor) }
        let members = pick(count, of: way, without: round.asked.union(round.accused))
        for (number, host) in members.enumerated() {
            ways[way].ask(hosts[host].address, isCredible: !hosts[host].isDown && answersTouches(host))
            dueQueue.add(.touch(host: host, way: way), at: now + Rules.stagger * number)
        }
        if let host = accusedWitness(of: way, besides: members) { dueQueue.add(.touch(host: host, way: way), at: now) }
    }

    /// Whether a host is known to be one that has a word for whoever asks. A name server of the Internet's is asked at another port
    /// than its own: that it is silent there may say nothing.
    func answersTouches(_ host: Int) -> Bool {
        let state = hosts[host]
        return !state.targets.isEmpty || state.address.isPrivate || state.hasAnsweredTouch
            || !network.nameServers.contains(state.address) || ways[state.way].references.contains(host)
    }

    /// Where none of those that are asked was heard the last time, the one of the accused that was heard last: a name server that
    /// is silent to questions may have a word all the same. Its silence counts for nothing.
    private func accusedWitness(of way: Int, besides members: [Int]) -> Int? {
        guard !members.isEmpty, !members.contains(where: { hosts[$0].heard != nil && hosts[$0].misses == 0 }),
            let last = ways[way].hosts.first, hosts[last].heard != nil,
            ways[way].round?.accused.contains(hosts[last].address) == true
        else { return nil }
        return last
    }

    /// Targets that are being asked and silent are no witnesses for themselves.
    private func accusedAddresses(_ way: Int, since: MonotonicTime) -> Set<IPAddress> {
        let late = open.values.lazy.flatMap(\.exchanges).filter {
            $0.way == way && $0.sentAt <= since && !$0.isHeard
        }
        return Set(late.map { hosts[$0.host].address })
    }

    /// The hosts that are asked next: a reference, then those heard last, never asked, down.
    func pick(_ count: Int, of way: Int, without known: Set<IPAddress>) -> [Int] {
        var (picked, seen) = ([Int](), known)
        func take(_ host: Int) {
            guard picked.count < count, seen.insert(hosts[host].address).inserted else { return }
            picked.append(host)
        }
        if let reference = ways[way].references.first(where: { !seen.contains(hosts[$0].address) }) { take(reference) }
        var (next, steps) = (ways[way].hosts.first, 0)
        while let host = next, picked.count < count, steps < 200 {
            if !hosts[host].isDown { take(host) }
            (next, steps) = (ways[way].hosts.after(host), steps + 1)
        }
        for reference in ways[way].references { take(reference) }
        // A word from behind a translator comes by what leads to it, too.
        for behind in translated(from: way) {
            (next, steps) = (ways[behind].hosts.first, 0)
            while let host = next, picked.count < count, steps < 200 {
                if !hosts[host].isDown { take(host) }
                (next, steps) = (ways[behind].hosts.after(host), steps + 1)
            }
        }
        (next, steps) = (ways[way].hosts.first, 0)
        while let host = next, picked.count < count, steps < 200 {
            take(host)
            (next, steps) = (ways[way].hosts.after(host), steps + 1)
        }
        return picked
    }

    private mutating func endRound(_ way: Int, at now: MonotonicTime) {
        isNews = true
        guard let since = ways[way].suspected else { return }
        guard ways[way].round?.isCredible == true else {
            return endWithoutWitness(way, since: since, at: now)
        }
        let below = waysBelow(way)
        // The link under a tunnel is asked at the same time: it has the first word.
        if below.contains(where: { ways[$0].suspected != nil }) {
            dueQueue.add(.round(way), at: now + .milliseconds(100))
            return
        }
        let isBelowAlive = below.contains { ways[$0].isProven(since: since) }
        // What leads to a translator is alive.
        let isTranslatorDead = underlying(way).map { ways[$0].isProven(since: since) } ?? false
        let isOtherGatewayAlive = ways.indices.contains { other in
            let (mine, its) = (ways[way].way, ways[other].way)
            return other != way && its.interface == mine.interface && its.family == mine.family
                && mine.translator == nil && its.translator == nil && its.gateway != nil && mine.gateway != nil
                && ways[other].isProven(since: since)
        }
        let isElsewhere = isBelowAlive || isOtherGatewayAlive || isTranslatorDead
        die(way, ways[way].way.isLoopback ? .host : isElsewhere ? .path : .uplink, at: now)
    }

    /// Whether a way leads to a target: what only leads to others says nothing of what is watched.
    func isUsed(_ way: Int) -> Bool {
        ways[way].isUsed || (placeless > 0 && ways[way].reachesAll)
    }

    func waysBelow(_ way: Int) -> [Int] {
        let below = ways[way].course?.below ?? []
        return below.isEmpty
            ? []
            : ways.indices.filter {
                below.contains(ways[$0].way.interface) && ways[$0].reachesAll
                    && ways[$0].hosts.first != nil
            }
    }

    /// No other host may be asked: only the target itself can tell, by missing often enough.
    private mutating func endWithoutWitness(_ way: Int, since: MonotonicTime, at now: MonotonicTime) {
        let isEnough = targets.indices.contains { target in
            ways[way].isHolding(target) && missesSent(target).count >= settings.targets[target].fall
        }
        let isLinkAlive = waysBelow(way).contains { ways[$0].isProven(since: since) }
        guard isEnough || isNameless(way) else { return ways[way].acquit() }
        die(way, isLinkAlive ? .path : .unknown, at: now)
    }

    /// Whether nothing was ever heard over a way that leads everywhere, nor over another, and no name is found that anything
    /// could be asked by: that nobody knows a name is a word, and no sign of a dead way.
    private func isNameless(_ way: Int) -> Bool {
        guard ways[way].reachesAll, generalWays.allSatisfy({ ways[$0].heard == nil }), !isAddressUnasked else {
            return false
        }
        return names.failing.contains { name in
            let count = names[name].failures.count { $0.reason != .nameNotFound }
            return names[name].targets.contains {
                settings.targets[$0].role != .witness && count >= settings.targets[$0].fall
            }
        }
    }

    /// Whether a target that needs no name was not asked yet.
    private var isAddressUnasked: Bool {
        placeless > 0
            && targets.indices.contains { target in
                settings.targets[target].role != .witness && names.index(of: target) == nil
                    && targets[target].hosts.isEmpty && targets[target].known == nil
            }
    }

    private mutating func die(_ way: Int, _ culprit: Culprit, at now: MonotonicTime) {
        ways[way].die(culprit, at: now)
        markTargets(of: way)
        for host in hosts.indices where hosts[host].way == way {
            for target in hosts[host].targets { forgetMoved(target, at: now) }
        }
        if let due = ways[way].rotationDue { dueQueue.add(.rotation(way), at: due) }
        dueQueue.add(.publish, at: now + .milliseconds(2500))
        if ways[way].reachesAll { forgiveNames() }
        // A portal does not answer over a dead way, either, and a clock may be set until it lives again.
        if generalWays.allSatisfy({ ways[$0].isDead }) {
            portal.leave(at: now)
            clock.leave()
        }
        let interface = ways[way].way.interface
        guard ways[way].reachesAll else { return }
        askOtherFamily(than: way, at: now)
        // What goes through a dead link is dead, too, and not by its own fault.
        for tunnel in ways.indices where ways[tunnel].course?.below.contains(interface) == true {
            guard !(waysBelow(tunnel).contains { !ways[$0].isDead }) else { continue }
            if ways[tunnel].isDead {
                accuse(.uplink, of: tunnel)
            } else if let since = ways[way].death?.since, !ways[tunnel].isProven(since: since) {
                die(tunnel, .uplink, at: now)
            }
        }
    }

    /// Those that were found over a dead way may answer by the other family: they are asked at once and waited for, so that it
    /// is one event.
    private mutating func askOtherFamily(than way: Int, at now: MonotonicTime) {
        let others = generalWays.filter {
            !ways[$0].isDead && ways[$0].suspected == nil && ways[$0].way.family != ways[way].way.family
        }
        guard !others.isEmpty else { return }
        awaitOthers(at: now)
        startSweep(at: now)
        // It may be dead as well, and what is asked by name may be long in coming to that.
        for other in others { for host in pick(1, of: other, without: []) { sendTouch(host, isNews: true, at: now) } }
    }

    /// A way is dead by another's fault than was thought.
    mutating func accuse(_ culprit: Culprit, of way: Int) {
        guard ways[way].death?.culprit != culprit else { return }
        ways[way].accuse(culprit)
        isNews = true
        markTargets(of: way)
    }

    /// Has all targets that were found over a way looked at again.
    mutating func markTargets(of way: Int) {
        for target in targets.indices where targets[target].way == way { mark(target) }
    }

    /// Something is to be heard over each way now and then, whatever its targets' intervals.
    mutating func fillGap(_ way: Int, at now: MonotonicTime) {
        guard ways[way].course?.reachesAll == true, ways[way].gapDue.map({ $0 <= now }) ?? false else {
            return
        }
        let next = nextWordDue(of: way, at: now)
        planGap(way, at: next > now ? next : now + (ways[way].loss.isLossy ? Rules.lossyGap : ways[way].gap(at: now)))
        guard next <= now else { return }
        isNews = true
        guard isUsed(way), !ways[way].isDead, ways[way].suspected == nil, !portal.stands else { return }
        if let host = candidates(of: way).randomElement(using: &random) { sendTouch(host, isNews: true, at: now) }
    }

    /// When something is to be heard over a way at the latest. One that is told to lose packets is measured on, whoever else is
    /// heard over it: a name server's words say nothing of loss.
    private func nextWordDue(of way: Int, at now: MonotonicTime) -> MonotonicTime {
        let next = (ways[way].heard ?? start) + ways[way].gap(at: now)
        guard ways[way].loss.isLossy else { return next }
        return min(next, (ways[way].loss.measuredAt ?? start) + Rules.lossyGap)
    }

    /// Hosts that a word is to be expected of. Those that belong to no target are only asked where no target's is well: one
    /// that is down says nothing of the way.
    private func candidates(of way: Int) -> [Int] {
        let known = pick(8, of: way, without: [])
        let living = known.filter { !hosts[$0].isDown }
        let measurable = living.filter { !network.nameServers.contains(hosts[$0].address) }
        for group in ways[way].loss.isLossy ? [measurable, living] : [living] {
            let own = group.filter { !hosts[$0].targets.isEmpty }
            let heard = group.filter { hosts[$0].heard != nil }
            if let first = [own, heard, group].first(where: { !$0.isEmpty }) { return first }
        }
        return known
    }

    mutating func planGap(_ way: Int, at time: MonotonicTime) {
        ways[way].gapDue = time
        dueQueue.add(.gap(way), at: time)
    }
}
