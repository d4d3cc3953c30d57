internal import EventLoop

/// What a target's answers and misses make of it.
extension Assessor {
    mutating func finish(_ target: Int, _ ended: Open, _ answer: Answer, at now: MonotonicTime) {
        targets[target].ask = nil
        witness(target, answer, sentAt: ended.sentAt, at: now)
        if ![.expected, .unsent, .void].contains(answer) { forgetUnsent(target, sentAt: ended.sentAt, at: now) }
        switch answer {
        case .expected: succeed(target, ended, at: now)
        case .void: plan(target, at: now + Rules.apart)
        // What a router says, or the silence of a proxy or a name server, is no word of the target's.
        case .wrong(.refused) where ended.isUnheard, .wrong(.nameServerFailed) where ended.isUnheard:
            failSilently(target, ended, at: now)
        case .wrong(.refused) where settings.targets[target].transport != .plainHTTP:
            contradict(target, ended, .refused, at: now)
        case .wrong(let reason): fail(target, ended, reason, isHeard: true, at: now)
        case .elsewhere: contradict(target, ended, .redirected, at: now)
        case .untrusted: contradict(target, ended, .untrusted, at: now)
        case .outOfTime(let certificate): contradict(target, ended, .outOfTime, certificate, at: now)
        case .unsent: fail(target, ended, .unsent, isHeard: true, at: now)
        case .inapplicable:
            settle(target, .inapplicable, way: nil, at: now)
            planNext(target, at: now)
        case .noRoute: fail(target, ended, .noRoute, isHeard: true, at: now)
        case .nothing, .addresses, .noAddress: failSilently(target, ended, at: now)
        }
    }

    private mutating func failSilently(_ target: Int, _ ended: Open, at now: MonotonicTime) {
        let isHeard = ended.exchanges.contains(where: \.isHeard)
        // A confirmation has less time than its target: one that is heard in it is asked with all of that.
        if isHeard, ended.ask.timeout < settings.targets[target].timeout {
            targets[target].isConfirming = false
            return plan(target, at: now)
        }
        let reason: Reason = isHeard ? .unanswered : ended.exchanges.contains(where: \.isTold) ? .unreachable : .silent
        askForPortal(inPlaceOf: target, ended, at: now)
        fail(target, ended, reason, isHeard: isHeard, at: now)
    }

    /// Portals drop what is not plain HTTP, and find names, which prove the way: no doubt of it has one asked for then.
    private mutating func askForPortal(inPlaceOf target: Int, _ ended: Open, at now: MonotonicTime) {
        guard settings.targets[target].transport != .plainHTTP, health(of: target).status != .down,
            ended.exchanges.contains(where: { ways[$0.way].isProven(since: $0.sentAt) && !ways[$0.way].isDead })
        else { return }
        askForPortal(since: ended.sentAt, at: now)
    }

    private mutating func succeed(_ target: Int, _ ended: Open, at now: MonotonicTime) {
        let heard = ended.exchanges.last(where: \.isHeard)
        if !targets[target].misses.isEmpty { isNews = true }
        targets[target].succeed(sentAt: heard?.sentAt ?? ended.sentAt)
        let isUp = targets[target].known == .up
        let isFirst = targets[target].known == nil
        let wasUnsent = targets[target].known == .unsent
        if isUp || isFirst || targets[target].successes >= settings.targets[target].rise {
            settle(target, .up, way: heard?.way, at: now)
            planNext(target, at: now)
        } else {
            plan(target, at: now + Rules.apart)
        }
        // What was sent before this host could send no more does not show that it still can.
        if let unsentSince, heard.map({ $0.sentAt <= unsentSince }) ?? false, isMuted(tally) { plan(target, at: now) }
        askLoser(target, ended, heard, at: now)
        // What could not be sent to others either is sent again.
        if wasUnsent, tally.unsent > 0, othersUntil.map({ $0 <= now }) ?? true {
            awaitOthers(at: now)
            askAllDead(at: now)
            startSweep(at: now)
        }
    }

    /// The family that lost a race it used to win is asked alone, as is one that was never heard.
    private mutating func askLoser(_ target: Int, _ ended: Open, _ winner: Exchange?, at now: MonotonicTime) {
        guard let winner else { return }
        if let last = targets[target].lastWinner, last != winner.way, !ways[last].isDead,
            let loser = ended.exchanges.first(where: { $0.way == last && !$0.isHeard })
        {
            sendTouch(loser.host, isNews: true, at: now)
        }
        targets[target].lastWinner = winner.way
        for loser in ended.exchanges where !loser.isHeard && ways[loser.way].askAlone() {
            sendTouch(loser.host, isNews: true, at: now)
        }
    }

    mutating func fail(_ target: Int, _ ended: Open, _ reason: Reason, isHeard: Bool, at now: MonotonicTime) {
        let isSlow = reason == .unanswered && ended.exchanges.contains { isSlowNow($0.way, at: now) }
        if isSlow {
            // Where packets are lost, answers are late for that: once none are, nothing is slow.
            for exchange in ended.exchanges where !ways[exchange.way].loss.isLossy {
                ways[exchange.way].slowUntil = now + Rules.slow
            }
            isNews = true
            dueQueue.add(.publish, at: now + Rules.slow)
            return planNext(target, at: now)
        }
        if reason == .unsent { unsentAt = now }
        let used = ended.exchanges.map { (index: $0.way, generation: $0.generation) }
        targets[target].miss(
            TargetState.Miss(
                sentAt: ended.exchanges.first?.sentAt ?? ended.sentAt, reason: reason, isHeard: isHeard,
                tries: Rules.tries(within: ended.ask.timeout), ways: used, hosts: ended.exchanges.map(\.host)),
            limit: max(Rules.misses, settings.targets[target].fall))
        judge(target, at: now)
        planConfirmation(of: target, reason, at: now)
    }

    /// Anything is confirmed a second after it was asked, a silence as soon as it has ended; its name is asked anew before.
    private mutating func planConfirmation(of target: Int, _ reason: Reason, at now: MonotonicTime) {
        if let name = names.index(of: target) { names[name].expire() }
        let isKnown = health(of: target).status == .down || health(of: target).reason == .unsent
        if isKnown {
            targets[target].isConfirming = false
            return planRetry(of: target, at: now)
        }
        let isSilent = reason == .silent
        let sentAt = targets[target].misses.last?.sentAt ?? now
        targets[target].isConfirming = isSilent
        targets[target].due = nil
        plan(target, at: max(now, sentAt + Rules.apart))
    }

    /// Asks a target that is down at its next turn, or sooner while it has not been down for long.
    private mutating func planRetry(of target: Int, at now: MonotonicTime) {
        planNext(target, at: now)
        guard let delay = settings.retryDelay else { return }
        let failures = targets[target].misses.count
        plan(target, at: now + min(delay * (1 << min(max(failures - 1, 0), 20)), settings.targets[target].interval))
    }

    /// Whether connecting takes much longer than usual with two hosts, or with the only one that is known to be quick.
    func isSlowNow(_ way: Int, at now: MonotonicTime) -> Bool {
        let slow = ways[way].slowHosts.filter { $0.value + Rules.gap > now }
        guard slow.count == 1 else { return slow.count >= 2 }
        var (next, looked) = (ways[way].hosts.first, 0)
        while let host = next, looked < Rules.rotated {
            if slow[host] == nil, hosts[host].usual.isQuick { return false }
            (next, looked) = (ways[way].hosts.after(host), looked + 1)
        }
        return true
    }

    // MARK: Charging

    /// The misses that were sent far enough apart, in the present generation of their ways.
    func missesSent(_ target: Int) -> [TargetState.Miss] {
        var chosen: [TargetState.Miss] = []
        for miss in targets[target].misses {
            let isCurrent = miss.ways.allSatisfy { ways[$0.index].generation == $0.generation }
            let isApart = chosen.last.map { miss.sentAt - $0.sentAt >= Rules.apart } ?? true
            if isCurrent, isApart { chosen.append(miss) }
        }
        return chosen
    }

    /// Whether a miss is the target's: it was heard, or its way was proven to be alive by a host that was asked as late.
    private func isCharged(_ miss: TargetState.Miss) -> Bool {
        miss.isHeard
            || miss.ways.contains {
                let way = ways[$0.index]
                return way.generation == $0.generation && !way.isDead && way.isProven(since: miss.sentAt)
            }
    }

    /// Holds a target responsible for what it missed, if it is.
    mutating func judge(_ target: Int, at now: MonotonicTime) {
        let misses = missesSent(target)
        guard let last = misses.last else { return }
        let charged = misses.filter(isCharged)
        if charged.count < misses.count {
            for way in last.ways { ways[way.index].hold(target) }
        }
        // What this host may not ask it may not ask a second time.
        let needed = last.reason == .unsent ? 1 : settings.targets[target].fall
        guard charged.count >= needed, !inquiries.hold(target),
            !isChance(charged, of: target, at: now)
        else {
            return
        }
        let latest = charged.suffix(max(settings.targets[target].fall, 2))
        let reason = lasting(latest.last { $0.reason != .silent }?.reason ?? .silent, of: target, latest)
        switch reason {
        case .unsent: settleUnsent(target, since: last.sentAt, at: now)
        case .noRoute: settle(target, .down(.path, reason), way: nil, at: now)
        default:
            awaitOthersAtFirst(at: now)
            let way = last.ways.last { !ways[$0.index].isDead } ?? last.ways.last
            settle(target, .down(Self.culprit(of: reason), reason), way: way?.index, at: now)
            bringDownHosts(of: target, after: misses, at: now)
        }
    }

    /// Whose fault it is that a target is not well which was heard, or whose way lives.
    private static func culprit(of reason: Reason) -> Culprit {
        switch reason {
        case .nameHijacked: .resolver
        case .unexamined, .unverifiable: .host
        default: .target
        }
    }

    /// What a target that is down is down for from now on: what comes and goes is no news, but what has come as often in a row as a
    /// target needs to be down. Nor is it that a connection stood before one silence, and not before another.
    private func lasting(_ reason: Reason, of target: Int, _ latest: ArraySlice<TargetState.Miss>) -> Reason {
        guard case .down(.target, let known)? = targets[target].known, known != reason, reason != .unsent else {
            return reason
        }
        let silences: [Reason] = [.silent, .unanswered]
        if silences.contains(known), silences.contains(reason) { return known }
        return latest.contains { $0.reason == known } ? known : reason
    }

    /// What keeps this host from asking one may keep it from asking the others: a few are asked at once, so that it is one
    /// event.
    private mutating func settleUnsent(_ target: Int, since: MonotonicTime, at now: MonotonicTime) {
        let isFirst = tally.unsent == 0
        settle(target, .unsent, way: nil, at: now)
        guard isFirst else { return }
        unsentSince = since
        awaitOthers(at: now)
        dueQueue.add(.publish, at: since + Rules.muting)
        for name in names.indices { names[name].expire() }
        let others = targets.indices.filter { targets[$0].ask == nil && !targets[$0].isWaiting }
        for other in others.prefix(Rules.sweepBurst) { plan(other, at: now) }
        for under in targets.lazy.compactMap(\.ask).prefix(Rules.sweepBurst) {
            dueQueue.add(.renewal(under), at: now + Rules.settling)
        }
    }

    /// A target that could not be asked was, and nothing else was found that cannot be since.
    mutating func forgetUnsent(_ target: Int, sentAt: MonotonicTime, at now: MonotonicTime) {
        guard targets[target].known == .unsent, unsentAt.map({ $0 < sentAt }) ?? true else { return }
        settle(target, nil, way: nil, at: now)
    }

    /// What left before this host could send no more may wait for its time-out in vain: asked anew, its target is part of the
    /// one event. Others may be heard since: a filter of this host's own lets some through.
    mutating func renew(_ id: Ask.ID, at now: MonotonicTime) {
        guard case .probe(let target, _)? = open[id]?.ask.question, tally.unsent > 0 else { return }
        open[id] = nil
        output.cancelled.append(id)
        targets[target].ask = nil
        awaitOthers(at: now)
        plan(target, at: now)
    }

    /// Has the verdict wait a moment for others that are asked at this time.
    mutating func awaitOthers(at now: MonotonicTime) {
        othersUntil = now + Rules.settling
        dueQueue.add(.publish, at: now + Rules.settling)
    }

    /// What is long in being found dead at a start may be only the first of many: they are one event.
    private mutating func awaitOthersAtFirst(at now: MonotonicTime) {
        guard isFirst, tally.down == 0, let openUntil, openUntil <= now else { return }
        awaitOthers(at: now)
    }

    /// Whether the way loses so much that chance alone would bring as many misses. Of a silence all SYNs have to be lost.
    private func isChance(_ misses: [TargetState.Miss], of target: Int, at now: MonotonicTime) -> Bool {
        let unspoken = misses.filter { $0.reason == .silent || $0.reason == .unanswered }
        guard misses.count - unspoken.count < settings.targets[target].fall else { return false }
        // A host that was heard since was not silent then, either: packets were lost.
        let heard = targets[target].hosts.compactMap { hosts[$0].heard }.max()
        var (chance, isLossy) = (1.0, false)
        for miss in unspoken {
            let loss = miss.ways.map { self.loss(of: $0.index, to: target, at: now) }.max() ?? 0
            guard loss >= 0.05 else { continue }
            isLossy = true
            // The way is told to be lossy, and no target is down for it.
            if loss >= 0.35, miss.ways.contains(where: { ways[$0.index].loss.isLossy }) { return true }
            if let heard, miss.sentAt <= heard, miss.reason == .silent { continue }
            chance *= miss.chance(atLoss: loss)
        }
        return isLossy && chance > Rules.chance
    }

    private func loss(of way: Int, to target: Int, at now: MonotonicTime) -> Double {
        max(ways[way].loss.loss(to: targets[target].hosts, at: now), ways[way].missed(at: now))
    }

    /// A host that was asked and is silent takes all targets at its address along, were it heard once more by a probe that was
    /// under way when it fell silent.
    private mutating func bringDownHosts(of target: Int, after misses: [TargetState.Miss], at now: MonotonicTime) {
        let silences = misses.reversed().prefix { !$0.isHeard }
        guard let since = silences.last?.sentAt else { return }
        let asked = Set(silences.flatMap(\.hosts))
        for host in targets[target].hosts where asked.contains(host) {
            guard !hosts[host].isDown, !(hosts[host].heard.map { $0 >= since } ?? false) else { continue }
            hosts[host].isDown = true
            ways[hosts[host].way].hosts.moveToEnd(host)
            for other in hosts[host].targets where other != target { takeAlong(other, host, since: since, at: now) }
        }
    }

    private mutating func takeAlong(_ target: Int, _ host: Int, since: MonotonicTime, at now: MonotonicTime) {
        guard targets[target].known == .up, targets[target].hosts == [host],
            !(targets[target].goodAt.map { $0 >= since } ?? false)
        else { return }
        settle(target, .down(.target, .silent), way: hosts[host].way, at: now)
    }

    // MARK: Counting

    /// Counts a target as what it was found to be.
    mutating func settle(_ target: Int, _ known: TargetState.Known?, way: Int?, at now: MonotonicTime) {
        let watched = settings.targets[target]
        guard watched.role != .witness else { return }
        if known != nil, let way, !ways[way].isDead { leaveDeadWays(target) }
        let generation = way.map { ways[$0].generation } ?? nowhere.generation
        let old = targets[target]
        let isSame = old.known == known && old.way == way && old.generation == generation
        guard !isSame || known == nil else { return targets[target].forgiveIfUp() }
        uncount(target)
        if known != nil { recalled.remove(target) }
        targets[target].place(known, way: way, generation: generation)
        if let way { ways[way].tally.count(known, watched, by: 1) } else { nowhere.tally.count(known, watched, by: 1) }
        mark(target)
    }

    private mutating func uncount(_ target: Int) {
        let state = targets[target]
        if let way = state.way {
            if ways[way].generation == state.generation {
                ways[way].tally.count(state.known, settings.targets[target], by: -1)
            }
        } else if nowhere.generation == state.generation {
            nowhere.tally.count(state.known, settings.targets[target], by: -1)
        }
    }

    mutating func mark(_ target: Int) {
        isNews = true
        guard !targets[target].isChanged, settings.targets[target].role != .witness else { return }
        targets[target].isChanged = true
        changed.append(target)
    }
}
