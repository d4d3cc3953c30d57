internal import EventLoop

/// What all of it comes to, and when that is told.
extension Assessor {
    /// Whose fault it is, the first that holds; nil while those under way could still turn it.
    func assess(at now: MonotonicTime) -> Verdict? {
        guard network.isReachable else { return verdictOfLinks(at: now) }
        guard total > 0 else { return Verdict(.unknown) }
        if portal.stands { return Verdict(.portal, .uplink, .portal) }
        if let othersUntil, othersUntil > now, !open.isEmpty { return nil }
        let tally = tally
        if isMuted(tally) { return isMuting(tally, at: now) ? nil : verdictOfUnsent(tally) }
        if isDeciding(at: now) { return nil }
        let dead = deadVerdict
        if let dead, dead.reason != .familyFailed { return dead }
        // Nothing gets past a name that is not found, and most does past a family that is dead.
        if let failure = names.failure, hasNames { return Verdict(.limited, failure.culprit, failure.reason) }
        if let dead { return dead }
        if clock.isWrong { return Verdict(.limited, .host, .clock) }
        if isAnyCut(tally, at: now) { return nil }
        if let openUntil, openUntil > now, !isDecided(tally) || isSettling(openUntil, tally, at: now) { return nil }
        let verdict = verdict(of: tally, at: now)
        if let told = publication.told, verdict.status > told.status, isAnyRecalled(at: now) { return nil }
        return verdict.status == .full && isFirst ? first(verdict, tally, at: now) : verdict
    }

    /// Whether it is not known yet what becomes of one that was down and has another route.
    private func isAnyRecalled(at now: MonotonicTime) -> Bool {
        recalledUntil.map { $0 > now } ?? false && recalled.contains { targets[$0].known == nil }
    }

    /// Whether nothing is told yet that holds.
    var isFirst: Bool { publication.told.map { $0 == Verdict(.unknown) } ?? true }

    /// What is told first where all is well that is known: not that, while a way or a target may still be found dead.
    private func first(_ verdict: Verdict, _ tally: Tally, at now: MonotonicTime) -> Verdict? {
        if let openUntil, openUntil > now, isAnyWayUnheard { return nil }
        return isAnyMissed(tally, at: now) ? Verdict(.unknown) : verdict
    }

    /// Whether a target of which nothing is known is late, or was missed.
    private func isAnyMissed(_ tally: Tally, at now: MonotonicTime) -> Bool {
        guard let openUntil, openUntil + (Rules.longestPatience - Rules.patience) > now, !isDecided(tally) else {
            return false
        }
        return open.contains { id, asked in
            switch asked.ask.question {
            case .probe(let target, _):
                isUnknown(target) && (isMissed(target) || asked.exchanges.contains(where: \.isLate))
            case .name:
                names.index(asked: id).map { names[$0].waiting.contains { isUnknown($0) && isMissed($0) } } ?? false
            case .touch: false
            }
        }
    }

    private func isUnknown(_ target: Int) -> Bool {
        settings.targets[target].role != .witness && health(of: target).status == .unknown
    }

    private func isMissed(_ target: Int) -> Bool { !targets[target].misses.isEmpty }

    /// Whether a way that targets were asked by was never heard, and may be found dead.
    private var isAnyWayUnheard: Bool {
        generalWays.contains { way in
            guard isUsed(way), ways[way].heard == nil, !ways[way].isDead else { return false }
            return ways[way].suspected != nil
                || open.values.contains { $0.exchanges.contains { $0.way == way && !$0.isHeard && !$0.isOver } }
        }
    }

    /// What it is called where there is no way out. Those that are asked on this host's own links are waited for, so that they
    /// are one event.
    private func verdictOfLinks(at now: MonotonicTime) -> Verdict? {
        if tally.known < network.near.count, publication.told != nil, let openUntil,
            openUntil > now + (Rules.patience - Rules.settling)
        {
            return nil
        }
        return Verdict(.none, .path, .noPath)
    }

    /// Whether all have fallen silent since something could not be sent: what keeps that here may keep all here.
    func isMuted(_ tally: Tally) -> Bool {
        guard tally.unsent > 0, let unsentSince else { return false }
        return generalWays.allSatisfy { way in ways[way].heard.map { $0 <= unsentSince } ?? true }
    }

    /// Whether it is not known yet whether the others that are asked since can be sent anything.
    private func isMuting(_ tally: Tally, at now: MonotonicTime) -> Bool {
        guard tally.up + tally.down > 0, let unsentSince, unsentSince + Rules.muting > now else { return false }
        return isAnyCut(tally, at: now) || open.values.contains { $0.sentAt >= unsentSince }
    }

    /// Whether another that missed is about to be asked again: where its connection was open when this host could send no
    /// more, that ended as if by its peer.
    private func isAnyCut(_ tally: Tally, at now: MonotonicTime) -> Bool {
        guard tally.unsent > 0, tally.up > 0, let unsentSince, unsentSince + Rules.muting > now else { return false }
        return targets.contains { $0.known == .up && !$0.misses.isEmpty }
    }

    private func verdictOfUnsent(_ tally: Tally) -> Verdict {
        Verdict(tally.up + tally.down > 0 ? .limited : .unknown, .host, .unsent)
    }

    /// Whether those that are not known yet could not turn it.
    private func isDecided(_ tally: Tally) -> Bool {
        if tally.known + tally.inapplicable >= total { return true }
        let (targets, plain, secure) = (tally.targets, tally.plainReferences, tally.secureReferences)
        let areTargetsKnown =
            targets.known + targets.inapplicable >= totals.targets || isAchieved(by: targets)
        return areTargetsKnown && (totals.plain == 0 || plain.up * 2 > totals.plain)
            && (totals.secure == 0 || secure.up * 2 >= totals.secure)
    }

    /// Whether those that are not known yet may still answer in time to be told together with the others.
    private func isSettling(_ openUntil: MonotonicTime, _ tally: Tally, at now: MonotonicTime) -> Bool {
        tally.known + tally.inapplicable < total && openUntil > now + (Rules.patience - Rules.settling)
    }

    /// Whether any target is well.
    package var hasUp: Bool { tally.up > 0 }

    /// Whether any target could not be asked because of this host.
    package var hasUnsent: Bool { tally.unsent > 0 }

    /// Whether there is anything that applies.
    package var isApplicable: Bool { tally.inapplicable < total }

    /// Whether every target is unknown.
    package var isIgnorant: Bool {
        if !network.isReachable { return network.near.isEmpty }
        return portal.stands || (names.failure == nil && tally.known == 0)
    }

    private var hasNames: Bool {
        guard let since = names.failure?.since else { return false }
        return names.contains { name in
            !(name.goodAt.map { $0 >= since } ?? false)
                && name.targets.contains { settings.targets[$0].role != .witness }
        }
    }

    var tally: Tally {
        var sum = nowhere.tally
        for way in ways.indices where !ways[way].isDead && ways[way].isPresent { sum += ways[way].tally }
        return sum
    }

    /// Whether another way that traffic leaves by is about to be found dead or alive, while one is dead that is not told.
    private func isDeciding(at now: MonotonicTime) -> Bool {
        guard deadVerdict != nil, publication.told.map({ $0.status > .local }) ?? true else { return false }
        return ways.contains { way in
            guard way.isPresent, let began = way.round?.began else { return false }
            return began + .milliseconds(2500) > now
        }
    }

    /// What dead ways mean: all, or some of what was to be reached.
    private var deadVerdict: Verdict? {
        let present = ways.indices.filter { ways[$0].isPresent && isUsed($0) }.map { ways[$0] }
        let dead = present.filter(\.isDead)
        guard let first = dead.max(by: { rank($0) < rank($1) }), let death = first.death else { return nil }
        // A way that leads to no target makes nothing worse, and is a way out where it is known to be alive.
        let general = generalWays.filter { isUsed($0) || (!ways[$0].isDead && ways[$0].heard != nil) }.map { ways[$0] }
        let isAll = general.isEmpty ? present.allSatisfy(\.isDead) : general.allSatisfy(\.isDead)
        let isCarried =
            present.contains {
                !$0.isDead && $0.course?.reachesAll == false && $0.way.gateway != nil
                    && $0.tally.up > 0
            } || (present.contains { !$0.isDead && $0.course?.below.isEmpty == false && $0.tally.up > 0 })
        if isAll, !isCarried {
            return Verdict(.local, death.culprit, death.culprit == .unknown ? .nobodyElse : .silent)
        }
        let isFamily =
            first.reachesAll
            && general.contains {
                !$0.isDead && $0.way.family != first.way.family
            }
        return Verdict(.limited, death.culprit, isFamily ? .familyFailed : .silent)
    }

    /// Which of several dead ways gives the verdict its name.
    private func rank(_ way: WayState) -> Int {
        (way.reachesAll ? 2 : 0) + (way.death?.culprit == .uplink ? 1 : 0)
    }

    private func verdict(of tally: Tally, at now: MonotonicTime) -> Verdict {
        if tally.unsent > 0 { return verdictOfUnsent(tally) }
        guard tally.known > 0 else { return Verdict(.unknown) }
        if let poor = poorVerdict(at: now) { return poor }
        let (targets, plain, secure) = (tally.targets, tally.plainReferences, tally.secureReferences)
        let isPlainWell = plain.known == 0 || plain.up * 2 > plain.known
        let isSecureWell = secure.known == 0 || secure.up * 2 >= secure.known
        if tally.up == 0, isDeserted(at: now) { return Verdict(.local, .uplink, .silent) }
        if !(isPlainWell && isSecureWell), targets.known == 0 || isMet(by: targets), isCarriedByTraffic(at: now) {
            return Verdict(.full, nil, .traffic)
        }
        if targets.known > 0, !isMet(by: targets) { return Verdict(.limited, tally.culprit, .targetsFailed) }
        if isPlainWell, isSecureWell { return Verdict(.full) }
        return Verdict(.limited, tally.culprit, isPlainWell ? .secureFailed : .targetsFailed)
    }

    /// Whether the host's own traffic was the last to be answered while references fail, so that the references are gone.
    private func isCarriedByTraffic(at now: MonotonicTime) -> Bool {
        guard publication.told?.status == .full else { return false }
        return ways.contains { way in
            guard way.reachesAll, !way.isDead, let heard = way.trafficHeard else { return false }
            return heard == way.heard && heard + Rules.gap * 2 > now
        }
    }

    /// Whether nothing at all has been heard for a while over any way that leads everywhere, though all were asked.
    private func isDeserted(at now: MonotonicTime) -> Bool {
        let general = ways.indices.filter { ways[$0].reachesAll && isUsed($0) }.map { ways[$0] }
        return !general.isEmpty
            && general.allSatisfy { way in way.heard.map { $0 + way.gap(at: now) + Rules.gap * 2 < now } ?? false }
    }

    private func poorVerdict(at now: MonotonicTime) -> Verdict? {
        for way in ways.indices where ways[way].reachesAll && !ways[way].isDead && isUsed(way) {
            if ways[way].loss.isLossy { return Verdict(.limited, .uplink, .lossy) }
            if ways[way].slowUntil.map({ $0 > now }) ?? false { return Verdict(.limited, .uplink, .slow) }
        }
        return nil
    }

    /// Whether enough are well, whatever becomes of those that are not known.
    private func isAchieved(by counts: Tally.Counts) -> Bool {
        switch settings.policy {
        case .all: false
        case .any: counts.up > 0
        case .quorum(let number): counts.up >= max(min(number, totals.targets - counts.inapplicable), 1)
        case .weight(let weight): counts.weightUp >= max(weight, 1)
        }
    }

    /// Whether those that are known are well enough.
    private func isMet(by counts: Tally.Counts) -> Bool {
        isAchieved(by: counts) || counts.up == counts.known
    }

    // MARK: Telling

    mutating func publish(at now: MonotonicTime) {
        guard isNews else { return }
        isNews = false
        revision += 1
        guard let verdict = assess(at: now),
            verdict != Verdict(.unknown) || publication.told != nil || hasUp || isAnyForgotten
        else { return }
        let decision = publication.decide(verdict, hasTargets: !changed.isEmpty, at: now)
        if let quiet = publication.quietAt { planPublication(at: quiet) }
        switch decision {
        case .nothing: break
        case .later(let time): planPublication(at: time)
        case .tell(let held, let flaps):
            let news = newsOfTargets()
            guard !news.isEmpty || flaps != nil || held != publication.told else { return }
            announce(held, news, flaps: flaps, at: now)
        }
    }

    /// Whether a target was told to be up or down of which nothing is known any more.
    private var isAnyForgotten: Bool {
        changed.contains { told[$0].map { $0.status != .unknown } == true && health(of: $0).status == .unknown }
    }

    private mutating func planPublication(at time: MonotonicTime) {
        if publication.plan(time) { dueQueue.add(.publish, at: time) }
    }

    /// Targets whose state is another one than was told.
    private mutating func newsOfTargets() -> [(target: Int, health: Health)] {
        guard !changed.isEmpty else { return [] }
        var (news, left) = ([(target: Int, health: Health)](), [Int]())
        for target in changed {
            let health = health(of: target)
            let isNews =
                switch health.status {
                case .down: told[target] != health
                case .up: told[target]?.status != .up
                case .unknown: told[target].map { $0.status != .unknown } ?? false
                }
            if isNews {
                news.append((target, health))
                left.append(target)
            } else {
                targets[target].isChanged = false
            }
        }
        changed = left
        return news
    }

    /// Notes what was told of a target beside what is announced here: what differs from that is news.
    package mutating func note(told health: Health, of target: Int) { told[target] = health }

    private mutating func announce(
        _ verdict: Verdict, _ news: [(target: Int, health: Health)], flaps: Int?, at now: MonotonicTime
    ) {
        let (from, sequence) = publication.publish(verdict, at: now)
        output.announcement = Announcement(
            sequence: sequence, time: now, from: from, verdict: verdict, changes: news, isWhole: from != verdict,
            flaps: flaps)
        for (target, health) in news {
            told[target] = health
            targets[target].isChanged = false
        }
        changed = []
        guard from != verdict else { return }
        if let commonHealth { return told.tellAll(commonHealth) }
        for (target, health) in healthOfAll.enumerated() { told[target] = health }
    }
}
