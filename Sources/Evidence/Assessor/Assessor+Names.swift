internal import EventLoop
internal import NetworkAddress

/// What is known of names, and when the name servers are at fault.
extension Assessor {
    /// Asks the first name server for a name.
    mutating func attempt(_ name: Int, at now: MonotonicTime) {
        guard names[name].attempt == nil, network.isReachable || !network.near.isEmpty else { return }
        names[name].begin(at: now)
        askServer(name, at: now)
    }

    /// How many questions one attempt may lead to.
    private var serverCount: Int { network.asksEachServer ? network.nameServers.count : 1 }

    private mutating func askServer(_ name: Int, at now: MonotonicTime) {
        let place = names[name].takeServer()
        guard place < serverCount else {
            if serverCount == 0 { names[name].hear(.nameServerFailed) }
            if names[name].asks.isEmpty { failName(name, at: now) }
            return
        }
        // Now and then with the whole time: a server that is slow may be well.
        let failures = names[name].failures.count
        let isConfirming = failures > 0 && failures % 3 != 2
        let id = ask(
            .name(names[name].name, server: network.asksEachServer ? network.nameServers[place] : nil),
            timeout: isConfirming ? Rules.round : .seconds(3), at: now)
        names.begin(id, about: name, at: place)
    }

    mutating func askNextServer(of id: Ask.ID, at now: MonotonicTime) {
        guard let name = names.index(asked: id), names[name].asks[id] != nil, names[name].nextServer < serverCount
        else { return }
        askServer(name, at: now)
    }

    mutating func finishName(_ id: Ask.ID, _ ended: Open, _ answer: Answer, at now: MonotonicTime) {
        guard let name = names.end(id, ways: ended.exchanges.map(\.way)) else { return }
        switch answer {
        case .addresses(let addresses, let lifetime): resolve(name, addresses, lifetime, at: now)
        case .noAddress(.nameNotFound):
            names[name].hear(.nameNotFound)
            abandonAsks(name)
            failName(name, at: now)
        case .noAddress(let reason):
            names[name].hear(reason)
            askServer(name, at: now)
        case .unsent:
            names[name].attempt = nil
            releaseUnsent(name, ended, at: now)
        case .noRoute:
            names[name].missRoute()
            askServer(name, at: now)
        default: if names[name].asks.isEmpty { askServer(name, at: now) }
        }
    }

    /// Another name server was faster: one that is late by then is down, and its next silence is no news.
    private mutating func abandonAsks(_ name: Int) {
        for id in names.dropQuestions(about: name) {
            for late in open[id]?.exchanges ?? [] where late.isLate && !late.isHeard { hosts[late.host].isDown = true }
            output.cancelled.append(id)
            open[id] = nil
        }
    }

    private mutating func resolve(
        _ name: Int, _ addresses: [IPAddress], _ lifetime: Duration, at now: MonotonicTime
    ) {
        abandonAsks(name)
        let longest = names[name].targets.map { settings.targets[$0].interval }.max() ?? Rules.gap
        // One that is as old as its turn is asked anew at that turn.
        let kept = min(lifetime, longest * 0.9)
        let began = names[name].attempt ?? now
        let wasFailed = names[name].isFailed
        names[name].resolve(addresses, until: now + max(kept, .milliseconds(100)))
        names.succeed(name, asked: began)
        if let failure = names.failure, began >= failure.since { endNameFailure(at: now) }
        let moved = moved(name, to: addresses)
        release(name, at: now)
        for target in moved where targets[target].ask == nil { probe(target, at: addresses, at: now) }
        // The name has taken all its targets along, also those that did not ask for it just now.
        if wasFailed {
            for target in names[name].targets where targets[target].ask == nil { plan(target, at: now) }
            hastenNames(at: now)
        }
        judgeNames(at: now)
    }

    /// Judges those that are not found; one word is enough once none is.
    private mutating func judgeNames(at now: MonotonicTime) { judge(names.failing, at: now) }

    /// A host was heard: judges those of which it is not settled whose fault it is.
    mutating func judgeUnsettledNames(at now: MonotonicTime) { judge(names.unsettled, at: now) }

    private mutating func judge(_ failing: Set<Int>, at now: MonotonicTime) {
        guard names.failure == nil, !failing.isEmpty else { return }
        // Those that are not judged yet come first. One that was found to fail before another was found is asked first.
        let failing = failing.filter { !isOutdated($0) }
            .sorted { (names[$0].isFailed ? 1 : 0, $0) < (names[$1].isFailed ? 1 : 0, $1) }
        for name in failing.prefix(50) where names.failure == nil { judgeName(name, at: now) }
    }

    /// Whether what is settled of a name was settled by failures that are older than that another was found.
    private func isOutdated(_ name: Int) -> Bool {
        guard names[name].isFailed, let last = names[name].failures.last?.sentAt else { return false }
        return names.lastGood.map { last < $0 } ?? false
    }

    private mutating func release(_ name: Int, at now: MonotonicTime) {
        let waiting = names[name].waiting
        names[name].waiting = []
        if !waiting.isEmpty, let began = names[name].goodAt { output.resolved.append((waiting, now - began)) }
        for target in waiting {
            targets[target].isWaiting = false
            if targets[target].ask == nil { probe(target, at: names[name].addresses, at: now) }
        }
    }

    /// This host could not even ask for the name.
    private mutating func releaseUnsent(_ name: Int, _ ended: Open, at now: MonotonicTime) {
        let waiting = names[name].waiting
        names[name].waiting = []
        output.unresolved.append((waiting, .unsent, ended.sentAt))
        for target in waiting {
            targets[target].isWaiting = false
            fail(target, ended, .unsent, isHeard: true, at: now)
        }
    }

    private mutating func failName(_ name: Int, at now: MonotonicTime) {
        let isAfterWord = names[name].failures.first.map(isCharged) ?? false
        guard let failure = names.fail(name, isAfterWord: isAfterWord) else { return }
        output.unresolved.append((names[name].waiting, failure.reason, failure.sentAt))
        for target in names[name].waiting { forgetUnsent(target, sentAt: failure.sentAt, at: now) }
        planRetry(of: name, failure, at: now)
        renewReason(by: name)
        // A router whose line is dead answers for the name server behind it: does any host answer beyond it?
        if names.failure == nil, !names[name].isFailed {
            for way in generalWays where !ways[way].isProven(since: failure.sentAt) {
                suspect(way, since: failure.sentAt, at: now)
            }
        }
        if !isOutOfReach(name) { askOtherNames(than: name, since: failure.sentAt, at: now) }
        judgeNames(at: now)
    }

    /// Asks for a name at the time that was planned, or once there is a place among those that are asked for again.
    mutating func attemptAgain(_ name: Int, at now: MonotonicTime) {
        guard let due = names[name].due, due <= now else { return }
        if names.askedAgain < limit { attempt(name, at: now) } else { nameLine.join(name) }
    }

    /// Names that waited for a place. They may have been found, or asked for, meanwhile.
    mutating func fillPlacesOfNames(at now: MonotonicTime) {
        while names.askedAgain < limit, let name = nameLine.next() { attemptAgain(name, at: now) }
    }

    private mutating func planRetry(of name: Int, _ failure: NameState.Failure, at now: MonotonicTime) {
        // While no name is found, or could be, a few tell when that is over.
        if names.failure != nil || isOutOfReach(name), names.failing.count > 5, !names[name].isFailed { return }
        let pause: Duration =
            if names[name].isFailed || names[name].failures.count > 3 {
                respite(of: name)
            } else if failure.reason == .nameServerSilent { Rules.secondRow } else { Rules.apart }
        // Not in step with whatever it is that loses packets.
        let due = max(now, failure.sentAt + pause) + .milliseconds(Int.random(in: 0..<150, using: &random))
        names[name].due = due
        dueQueue.add(.name(name), at: due)
    }

    /// How long a name is left alone that was not found again and again: a few seconds for a minute. One that alone is not found
    /// is asked for ever more seldom after that, at the turns of its targets at last.
    private func respite(of name: Int) -> Duration {
        let count = names[name].failures.count
        let pause = Rules.rotation[min(max(count - 2, 0), Rules.rotation.count - 1)]
        guard names[name].isFailed, names.failure == nil, count > Rules.namedOften else { return pause }
        let turn = names[name].targets.map { settings.targets[$0].interval }.min() ?? pause
        return max(pause, min(pause * (1 << (count - Rules.namedOften)), turn))
    }

    /// Asks now for names that were to be left alone for longer: what they were not found by may be otherwise. Many are asked
    /// for one after another, and none twice in a moment.
    mutating func hastenNames(at now: MonotonicTime) {
        for (place, name) in names.failing.sorted().enumerated() {
            let turn = now + Rules.sweepPause * (place / Rules.sweepBurst)
            let soon = max(turn, names[name].failures.last.map { $0.sentAt + Rules.apart } ?? now)
            guard let due = names[name].due, due > soon else { continue }
            names[name].due = soon
            dueQueue.add(.name(name), at: soon)
        }
    }

    /// Whether it is the name or the server is told by other names.
    private mutating func askOtherNames(than name: Int, since: MonotonicTime, at now: MonotonicTime) {
        guard names.count > 1, names.failure == nil else { return }
        // Where as many are under way as may be, only one that is found can still tell.
        let isFull = names.asked >= limit
        guard names.asked < 3 * limit else { return }
        // It is settled that it is the name, and others were found since: no more of them need be.
        if names[name].isFailed, let first = names[name].failures.first,
            names.lastGood.map({ $0 >= first.sentAt }) ?? false
        {
            return
        }
        var (asked, steps) = (0, 0)
        while asked < 2, steps < min(names.count, 64) {
            let other = names.takeNext()
            steps += 1
            guard other != name, !names.isFailing(other), !isFull || names[other].goodAt != nil else { continue }
            if names[other].goodAt.map({ $0 >= since }) ?? false { return }
            if names[other].attempt == nil { attempt(other, at: now) }
            asked += 1
        }
    }

    /// The ways that traffic to anywhere leaves by: not what lies under a tunnel to everything.
    var generalWays: [Int] {
        let all = ways.indices.filter { ways[$0].reachesAll }
        return all.filter { way in
            guard let course = ways[way].course else { return false }
            return !all.contains { ways[$0].course.map(course.lies(under:)) ?? false }
        }
    }

    /// Why no name is found may be another one by now: what one has failed by twice, where none has by the old one meanwhile.
    private mutating func renewReason(by name: Int) {
        let latest = names[name].failures.filter(isCharged).suffix(2)
        guard let failure = names.failure, failure.culprit == .resolver, latest.count == 2, let first = latest.first,
            let reason = latest.last?.reason, first.reason == reason, reason != failure.reason, reason != .noRoute
        else { return }
        let isOld = names.failing.contains { other in
            names[other].failures.last.map { $0.reason == failure.reason && $0.sentAt >= first.sentAt } ?? false
        }
        guard !isOld else { return }
        names.failure = NameBook.Failure(since: failure.since, reason: reason, culprit: .resolver)
        for name in names.indices { for target in names[name].targets { mark(target) } }
    }

    /// Whether nothing leads out: what is asked of names then says nothing of them.
    var isCutOff: Bool {
        let general = generalWays
        return !general.isEmpty && general.allSatisfy { ways[$0].isDead }
    }

    /// Whether nothing leads out, nor to where a name has led so far.
    private func isOutOfReach(_ name: Int) -> Bool {
        isCutOff && names[name].targets.allSatisfy { targets[$0].hosts.isEmpty || cutOff($0) != nil }
    }

    /// Whether there are several names, and none is found.
    package var failsAllNames: Bool { names.failure != nil && names.count > 1 }

    /// Whether a failure says something of names: silence where the server's way is proven to be alive, a word where
    /// a host beyond the gateway is; silence, too, where no host could prove it, and that there is no such name where none is known
    /// to be beyond.
    private func isCharged(_ failure: NameState.Failure) -> Bool {
        if failure.reason == .noRoute { return true }
        if failure.reason == .nameNotFound, generalWays.allSatisfy({ ways[$0].hosts.first == nil }) { return true }
        guard failure.reason == .nameServerSilent, !failure.ways.allSatisfy(isUnprovable) else {
            return isBeyondProven(since: failure.sentAt)
        }
        return failure.ways.contains { !ways[$0].isDead && ways[$0].isProven(since: failure.sentAt) }
    }

    /// Whether a way to a name server is dead, or leads to name servers alone: one behind a tunnel or on a link of its own. A
    /// stub on this host asks others, of which no word from this host says anything.
    private func isUnprovable(_ way: Int) -> Bool {
        guard !ways[way].isDead, !ways[way].way.isLoopback else { return true }
        guard !ways[way].reachesAll else { return false }
        var next = ways[way].hosts.first
        while let host = next {
            guard network.nameServers.contains(hosts[host].address) else { return false }
            next = ways[way].hosts.after(host)
        }
        return true
    }

    /// Whether a host beyond the gateway was heard that was asked then or later. Where there is no beyond, none need be.
    private func isBeyondProven(since time: MonotonicTime) -> Bool {
        let general = generalWays
        return general.isEmpty || general.contains { !ways[$0].isDead && ways[$0].isProven(since: time) }
    }

    /// Blames the name server for what is not found, or the name alone.
    mutating func judgeName(_ name: Int, at now: MonotonicTime) {
        let failures = names[name].failures
        let charged = failures.filter(isCharged)
        guard names.failure == nil, let first = charged.first, charged.count >= neededFailures(charged, at: now) else {
            return
        }
        let hasGood = names.lastGood.map { $0 >= first.sentAt } ?? false
        if charged.allSatisfy({ $0.reason == .noRoute }) {
            guard hasGood else {
                names.settle(name)
                return beginNameFailure(since: first.sentAt, .noRoute, .path, at: now)
            }
            return settle(name, .path, .noRoute, at: now)
        }
        if charged.allSatisfy({ $0.reason == .nameServerSilent }) {
            guard hasGood else {
                names.settle(name)
                return beginNameFailure(since: first.sentAt, .nameServerSilent, death(of: charged), at: now)
            }
            return settle(name, .target, .nameServerSilent, at: now)
        }
        // That a name is not known which is asked only in doubt says nothing of the others.
        guard hasGood || isMissed(name), charged.contains(where: \.isAfterWord) else { return }
        let reason = charged.last { $0.reason != .nameServerSilent }?.reason ?? .nameServerFailed
        let hasBad = names.failing.prefix(50).contains { other in
            names[other].name != names[name].name && names[other].failures.contains(where: isCharged)
                && (!hasGood || isMissed(other))
        }
        let isOpen = names.isAsked(besides: name)
        guard hasBad || hasGood || !isOpen else { return }
        guard hasGood else {
            names.settle(name)
            return beginNameFailure(since: first.sentAt, reason, at: now)
        }
        // Others are asked for at this moment, to tell whether it is the name or the server.
        if !hasBad, isOpen, let last = charged.last, now < last.sentAt + Rules.settling { return }
        settle(name, hasBad || reason == .nameHijacked ? .resolver : .target, reason, at: now)
    }

    /// This name alone is not found.
    private mutating func settle(_ name: Int, _ culprit: Culprit, _ reason: Reason, at now: MonotonicTime) {
        names.settle(name)
        for target in names[name].targets { settle(target, .down(culprit, reason), way: nil, at: now) }
        if reason == .nameHijacked { dueQueue.add(.portal, at: now + Rules.portal) }
    }

    /// Whether all names that are watched lead astray.
    var areNamesAstray: Bool {
        !names.failing.isEmpty
            && names.indices.allSatisfy { name in
                names[name].failures.last?.reason == .nameHijacked
                    || names[name].targets.allSatisfy { settings.targets[$0].role == .witness }
            }
    }

    /// Whether a name ought to be found: a name server within a network of its own does not know what is asked only in doubt.
    private func isMissed(_ name: Int) -> Bool {
        names[name].goodAt != nil || names[name].targets.contains { settings.targets[$0].role != .witness }
    }

    private func neededFailures(_ charged: [NameState.Failure], at now: MonotonicTime) -> Int {
        guard charged.allSatisfy({ $0.reason == .nameServerSilent }) else { return 2 }
        let loss = ways.filter { $0.isPresent }.map { max($0.loss.loss(at: now), $0.missed(at: now)) }.max() ?? 0
        var (count, chance) = (0, 1.0)
        while chance > Rules.chance, count < 20, loss >= 0.05 { (count, chance) = (count + 1, chance * loss) }
        // Where others are late, too, it may be the way that loses packets in bursts.
        let isTroubled = generalWays.contains { ways[$0].lateAt.map { $0 + Rules.gap > now } ?? false }
        return max(isTroubled ? 5 : 2, count)
    }

    /// Whose fault it is that the ways to all name servers are dead; nil where one is not.
    private func death(of failures: [NameState.Failure]) -> Culprit? {
        let used = Set(failures.flatMap(\.ways))
        return used.allSatisfy { ways[$0].isDead } ? used.min().flatMap { ways[$0].death?.culprit } : nil
    }

    private mutating func beginNameFailure(
        since: MonotonicTime, _ reason: Reason, _ culprit: Culprit? = nil, at now: MonotonicTime
    ) {
        isNews = true
        names.failure = NameBook.Failure(since: since, reason: reason, culprit: culprit ?? .resolver)
        for host in hosts.indices where reason != .noRoute && network.nameServers.contains(hosts[host].address) {
            let isSilent = !(hosts[host].heard.map { $0 >= since } ?? false)
            if isSilent { hosts[host].isDown = true }
        }
        for name in names.indices { for target in names[name].targets { mark(target) } }
        if reason == .nameHijacked { dueQueue.add(.portal, at: now + Rules.portal) }
    }

    private mutating func endNameFailure(at now: MonotonicTime) {
        names.failure = nil
        clock.leave()
        for name in names.indices { for target in names[name].targets { mark(target) } }
        names.forgive()
        forgetFindings()
        startSweep(at: now)
    }

    /// The way is dead: names say nothing.
    mutating func forgiveNames() {
        guard generalWays.allSatisfy({ ways[$0].isDead }) else { return }
        let wasFailing = names.failure != nil
        forgetNameFailures()
        if wasFailing { forgetFindings() }
    }

    /// What names were not found by says nothing of them.
    mutating func forgetNameFailures() {
        names.failure = nil
        names.forgive()
    }
}
