internal import EventLoop
internal import NetworkAddress

/// What another path means, and time in which nothing was looked at.
extension Assessor {
    mutating func follow(_ new: Network, at now: MonotonicTime) {
        let old = network
        network = new
        for course in new.ways { _ = index(of: course.way) }
        fitWays(to: new, from: old)
        forgetCovered(by: new, after: old)
        for course in new.ways where course.reachesAll { prepareReferences(of: course) }
        for way in ways.indices where ways[way].isPresent && ways[way].references.isEmpty {
            prepareTranslatedReferences(of: way)
        }
        if old.nameServers != new.nameServers || !old.isReachable {
            // What was found before no name was found any more does not hold by itself.
            if names.failure != nil { forgetFindings() }
            forgetNames(at: now)
        }
        if hasOtherUplinks(old, new) || old.isReachable != new.isReachable {
            publication.forget()
            // What was so before is not so for certain any more, even where the way is the same again.
            portal.leave(at: now)
            clock.leave()
            nowhere.forget()
            inquiries.forget()
        }
        cancelWithoutWay()
        forgetWays()
        // Thousands are not looked at where none can be asked. Another path begins anew.
        guard new.isReachable || !new.near.isEmpty else { return sweep.end() }
        if !isStarted { planTurns(at: now) }
        hastenNames(at: now)
        startSweep(at: now)
        // Another path each few seconds does not put off what is to be heard.
        for way in ways.indices where ways[way].reachesAll && !(ways[way].gapDue.map { $0 > now } ?? false) {
            planGap(way, at: now + Rules.gap)
        }
    }

    /// An interface has another name: what was found over its ways still holds.
    mutating func rename(_ old: String, to new: String) {
        guard ways.rename(old, to: new) else { return }
        network.rename(old, to: new)
    }

    /// Forgets ways that are gone or new. One that only the kernel's answers have told of stays as long as its interface.
    private mutating func fitWays(to new: Network, from old: Network) {
        let courses = Dictionary(new.ways.map { ($0.way, $0) }) { first, _ in first }
        let listed = Set(old.ways.map(\.way))
        let interfaces = Set(new.ways.map(\.way.interface))
        // A free number is still of the way that it was given up by, which may have another one by now.
        for index in ways.indices where ways.isKnown(index) {
            let way = ways[index].way
            if let underlying = way.underlying, listed.contains(underlying) || courses[underlying] != nil {
                // What leads through a translator is there while what leads to it is.
                if !listed.contains(underlying) || courses[underlying] == nil { abandon(index) }
                ways[index].course = courses[underlying]?.throughTranslator(way)
                continue
            }
            let isParticular = !listed.contains(way) && ways[index].isPresent && interfaces.contains(way.interface)
            let course = courses[way] ?? (isParticular ? new.particular(way) : nil)
            if course == nil || (courses[way] != nil && !listed.contains(way)) { abandon(index) }
            ways[index].course = course
        }
    }

    /// What was found over a way that lies under a tunnel to everything from now on says nothing of the tunnel.
    private mutating func forgetCovered(by new: Network, after old: Network) {
        let covered = Set(old.outermost).subtracting(new.outermost)
        for way in ways.indices where ways[way].isPresent && covered.contains(ways[way].way) {
            ways[way].forget()
            markTargets(of: way)
        }
    }

    /// Whether no way is left by which traffic to anywhere left before: what was found then does not speak for the new one.
    private func hasOtherUplinks(_ old: Network, _ new: Network) -> Bool {
        let (before, after) = (old.outermost, new.outermost)
        return !before.isEmpty && !after.contains(where: before.contains)
    }

    /// What is under way by ways that are gone says nothing, and is asked anew.
    private mutating func cancelWithoutWay() {
        let lost = open.filter { _, asked in
            asked.exchanges.isEmpty
                ? !network.isReachable : asked.exchanges.allSatisfy { !ways[$0.way].isPresent }
        }
        for (id, ended) in lost.sorted(by: { $0.key < $1.key }) {
            output.cancelled.append(id)
            open[id] = nil
            switch ended.ask.question {
            case .probe(let target, _): targets[target].ask = nil
            case .name: names.drop(id)
            case .touch: break
            }
        }
    }

    private mutating func abandon(_ way: Int) {
        ways[way].reset()
    }

    /// The built-in references and the caller's are hosts by each way that leads everywhere.
    private mutating func prepareReferences(of course: Network.Course) {
        let way = index(of: course.way)
        for target in referring {
            for address in settings.targets[target].addresses where address.family == course.way.family {
                let host = index(of: Host(address: address, way: course.way))
                if !ways[way].references.contains(host) { ways[way].references.append(host) }
            }
        }
    }

    /// The same behind a translator to IPv4: what it does for a target's address it has to do for theirs.
    mutating func prepareTranslatedReferences(of way: Int) {
        guard let translator = ways[way].way.translator,
            network.ways.contains(where: { $0.way == ways[way].way.underlying && $0.reachesAll })
        else { return }
        let addresses = referring.flatMap { settings.targets[$0].addresses }
        for address in addresses.compactMap({ translator.address(of: $0) }) {
            let host = index(of: Host(address: address, way: ways[way].way))
            if !ways[way].references.contains(host) { ways[way].references.append(host) }
        }
    }

    /// Nothing that was known is known, and what is under way says nothing.
    mutating func resume(at now: MonotonicTime) {
        publication.forget()
        output.cancelled += open.keys.sorted()
        open = [:]
        for target in targets.indices { targets[target].ask = nil }
        line = WaitingTargets()
        for way in ways.indices { abandon(way) }
        forgetNames(at: now)
        forgetFindings()
        portal.leave(at: now)
        clock.leave()
        inquiries.forget()
        startSweep(at: now)
    }

    mutating func request(at now: MonotonicTime) {
        askPortalSoon(at: now)
        hastenNames(at: now)
        for target in targets.indices where targets[target].ask == nil && settings.targets[target].role != .witness {
            targets[target].isWanted = true
            plan(target, at: now)
        }
    }

    /// Asks a few hosts of each way that leads everywhere, so that it is known to be alive now.
    mutating func prove(at now: MonotonicTime) {
        for way in ways.indices where ways[way].reachesAll {
            for host in pick(Rules.row, of: way, without: []) { sendTouch(host, isNews: true, at: now) }
        }
    }

    /// Forgets what was found of targets that leave by another interface now, and asks them.
    mutating func rebind(_ places: [Int], at now: MonotonicTime) {
        for target in places where targets.indices.contains(target) {
            if let ask = targets[target].ask.take() {
                output.cancelled.append(ask)
                open[ask] = nil
            }
            if case .down? = targets[target].known { recall(target, at: now) }
            settle(target, nil, way: nil, at: now)
            for host in targets[target].hosts {
                let way = hosts[host].way
                if !network.ways.contains(where: { $0.way == ways[way].way }) { abandon(way) }
            }
            unplace(target)
            targets[target].forgive()
            targets[target].due = nil
            plan(target, at: now)
        }
    }

    /// A target that was down has another route: nothing is told to be better before it is known to be.
    private mutating func recall(_ target: Int, at now: MonotonicTime) {
        recalled.insert(target)
        recalledUntil = now + Rules.longestPatience
        dueQueue.add(.publish, at: now + Rules.longestPatience)
    }

    /// What was found of all targets is to be found anew.
    mutating func forgetFindings() {
        isNews = true
        for way in ways.indices { ways[way].forget() }
        nowhere.forget()
        for target in targets.indices where !targets[target].misses.isEmpty { targets[target].forgive() }
    }

    private mutating func forgetNames(at now: MonotonicTime) {
        for target in names.lazy.flatMap(\.waiting) { targets[target].isWaiting = false }
        let asked = names.forget()
        for id in asked { open[id] = nil }
        output.cancelled += asked
    }
}
