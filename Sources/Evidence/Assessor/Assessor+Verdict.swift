package import EventLoop
package import NetworkAddress

/// What all of it comes to, and what is told of it.
extension Assessor {
    /// Whose fault it is, the first that holds; nil while those under way could still turn it.
    func assess(at now: MonotonicTime) -> Verdict? {
        guard network.isReachable else { return Verdict(.none, .path, .noPath) }
        guard total > 0 else { return Verdict(.unknown) }
        if portalSince != nil { return Verdict(.portal, .uplink, .portal) }
        if isDeciding(at: now) { return nil }
        if let dead = deadVerdict { return dead }
        if let nameFailure, hasNames { return Verdict(.limited, .resolver, nameFailure.reason) }
        if clockSince != nil { return Verdict(.limited, .host, .clock) }
        let tally = tally
        if tally.known < total, let openUntil, openUntil > now { return nil }
        return verdict(of: tally, at: now)
    }

    private var hasNames: Bool {
        guard let since = nameFailure?.since else { return false }
        return names.contains { name in
            !(name.goodAt.map { $0 >= since } ?? false)
                && name.targets.contains { settings.targets[$0].role != .witness }
        }
    }

    var tally: Tally {
        var sum = nowhere
        for way in ways.indices where !ways[way].isDead && ways[way].course != nil { sum += ways[way].tally }
        return sum
    }

    /// Whether another way that traffic leaves by is about to be found dead or alive, while one is dead that is not told.
    private func isDeciding(at now: MonotonicTime) -> Bool {
        guard deadVerdict != nil, publication.told.map({ $0.status > .local }) ?? true else { return false }
        return ways.contains { way in
            guard way.course != nil, let began = way.round?.began else { return false }
            return began + .milliseconds(2500) > now
        }
    }

    /// What dead ways mean: all, or some of what was to be reached.
    private var deadVerdict: Verdict? {
        let present = ways.filter { $0.course != nil }
        let dead = present.filter(\.isDead)
        guard let first = dead.max(by: { rank($0) < rank($1) }), let death = first.death else { return nil }
        let general = generalWays.map { ways[$0] }
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
            first.course?.reachesAll == true
            && general.contains {
                !$0.isDead && $0.way.family != first.way.family
            }
        return Verdict(.limited, death.culprit, isFamily ? .familyFailed : .silent)
    }

    /// Which of several dead ways gives the verdict its name.
    private func rank(_ way: WayState) -> Int {
        (way.course?.reachesAll == true ? 2 : 0) + (way.death?.culprit == .uplink ? 1 : 0)
    }

    private func verdict(of tally: Tally, at now: MonotonicTime) -> Verdict {
        if tally.unsent > 0 {
            return Verdict(tally.up + tally.down > 0 ? .limited : .unknown, .host, .unsent)
        }
        guard tally.known > 0 else { return Verdict(.unknown) }
        if let poor = poorVerdict(at: now) { return poor }
        let (targets, plain, secure) = (tally.targets, tally.plainReferences, tally.secureReferences)
        let isPlainWell = plain.known == 0 || plain.up * 2 > plain.known
        let isSecureWell = secure.known == 0 || secure.up * 2 >= secure.known
        if targets.known > 0, !isMet(by: targets) { return Verdict(.limited, tally.culprit, .targetsFailed) }
        if isPlainWell, isSecureWell { return Verdict(.full) }
        return Verdict(.limited, tally.culprit, isPlainWell ? .secureFailed : .targetsFailed)
    }

    private func poorVerdict(at now: MonotonicTime) -> Verdict? {
        for way in ways.indices where ways[way].course?.reachesAll == true && !ways[way].isDead {
            if ways[way].loss.isLossy { return Verdict(.limited, .uplink, .lossy) }
            if ways[way].slowUntil.map({ $0 > now }) ?? false { return Verdict(.limited, .uplink, .slow) }
        }
        return nil
    }

    private func isMet(by counts: Tally.Counts) -> Bool {
        switch settings.policy {
        case .all: counts.up == counts.known
        case .any: counts.up > 0
        case .quorum(let number): counts.up >= max(min(number, counts.known), 1)
        case .weight(let weight): counts.weightUp >= max(weight, 1) || counts.up == counts.known
        }
    }

    // MARK: Targets

    /// What is known of a target now: its state counts only in the generation of its way that it was found in.
    package func health(of target: Int) -> Health {
        guard network.isReachable else { return Health(.unknown, .path, .noPath) }
        if portalSince != nil { return Health(.unknown, .uplink, .portal) }
        let state = targets[target]
        if let nameFailure, let name = nameOf[target],
            !(names[name].goodAt.map { $0 >= nameFailure.since } ?? false)
        {
            return Health(.down, .resolver, nameFailure.reason)
        }
        if clockSince != nil, settings.targets[target].transport == .secure { return Health(.unknown, .host, .clock) }
        if let way = state.way {
            if let death = ways[way].death { return Health(.unknown, death.culprit, .silent) }
            guard ways[way].generation == state.generation, ways[way].course != nil else { return Health(.unknown) }
        } else if state.generation != nowhereGeneration {
            return Health(.unknown)
        }
        return switch state.known {
        case .up?: Health(.up)
        case .down(let culprit, let reason)?: Health(.down, culprit, reason)
        case .unsent?: Health(.unknown, .host, .unsent)
        case nil: Health(.unknown)
        }
    }

    /// Who was heard over a target's way while it was silent: another, never the accused. Nil where nobody was.
    package func witness(against target: Int) -> (address: IPAddress, target: Int?)? {
        let own = targets[target].hosts
        guard let way = targets[target].way ?? own.last.map({ hosts[$0].way }) else { return nil }
        let heard = ways[way].witness.flatMap { own.contains($0) ? nil : $0 } ?? hostsOfWay[way].first
        guard let heard, !own.contains(heard), hosts[heard].heard != nil else { return nil }
        return (hosts[heard].address, hosts[heard].targets.first)
    }

    package var verdict: Verdict? { publication.told }

    /// Since when a way that traffic leaves by is doubted.
    package var suspectSince: MonotonicTime? {
        ways.filter { $0.course?.reachesAll == true }.compactMap(\.suspected).min()
    }

    // MARK: Telling

    mutating func publish(at now: MonotonicTime) {
        guard isNews else { return }
        isNews = false
        revision += 1
        guard let verdict = assess(at: now), verdict.status != .unknown || publication.told != nil else { return }
        let news = newsOfTargets()
        switch publication.decide(verdict, hasTargets: !news.isEmpty, at: now) {
        case .nothing: break
        case .later(let time): agenda.add(.publish, at: time)
        case .tell(let held, let flaps): announce(held, news, flaps: flaps, at: now)
        }
    }

    /// Targets whose state is another one than was told.
    private mutating func newsOfTargets() -> [(target: Int, health: Health)] {
        guard !changed.isEmpty else { return [] }
        var (news, left) = ([(target: Int, health: Health)](), [Int]())
        for target in changed {
            let health = health(of: target)
            let isNews =
                switch health.status {
                case .down: targets[target].told != health
                case .up: targets[target].told.map { $0.status != .up } ?? false
                case .unknown: targets[target].told.map { $0.status == .down } ?? false
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

    private mutating func announce(
        _ verdict: Verdict, _ news: [(target: Int, health: Health)], flaps: Int?, at now: MonotonicTime
    ) {
        let (from, sequence) = publication.publish(verdict, at: now)
        output.announcement = Announcement(
            sequence: sequence, time: now, from: from, verdict: verdict, changes: Array(news.prefix(20)),
            omitted: max(0, news.count - 20), flaps: flaps)
        for (target, health) in news {
            targets[target].told = health
            targets[target].isChanged = false
        }
        changed = []
    }
}
