internal import EventLoop
internal import NetworkAddress

/// How a dead way is asked again, and what its return means.
extension Assessor {
    /// Asks a dead way again.
    mutating func rotate(_ way: Int, at now: MonotonicTime) {
        // It may have come back, and died again, since this was planned.
        guard ways[way].isDead, let due = ways[way].rotationDue, due <= now else { return }
        followLink(under: way, at: now)
        introduceLiving(to: way)
        lookForPlace(at: now)
        // Those that were heard before may be dead themselves by the time that the way is alive.
        if let reference = ways[way].nextReference { sendTouch(reference, isNews: false, at: now) }
        let ring = ring(of: way)
        let place = ways[way].rotated
        let count = ways[way].rotate(at: now)
        for step in 0..<min(count, ring.count) {
            sendTouch(ring[(place + step) % ring.count], isNews: false, at: now)
        }
        if let due = ways[way].rotationDue { dueQueue.add(.rotation(way), at: due) }
    }

    /// While a way is dead its targets are not asked, of which some may not have been asked anywhere yet: one of them at a time
    /// is, since it may be the only one to answer. Of another the name is asked for: it may lead elsewhere by now.
    private mutating func lookForPlace(at now: MonotonicTime) {
        let isLost = placeless > 0 && isCutOff
        // Those that are not found are asked for again by themselves: there need not be many of them.
        let mayMove = !names.isEmpty && names.failing.count { !names[$0].isIdle } < Rules.row
        guard isLost || mayMove else { return }
        for step in 1...targets.count {
            let target = (lastLooked + step) % targets.count
            guard settings.targets[target].role != .witness, !isBeingAsked(target),
                network.isReachable || network.near.contains(target)
            else { continue }
            if targets[target].hosts.isEmpty {
                guard isLost else { continue }
                lastLooked = target
                return look(target, at: now)
            }
            guard mayMove, let name = nameToAsk(of: target, at: now) else { continue }
            lastLooked = target
            return attempt(name, at: now)
        }
    }

    /// The name of a target that is cut off, where it may lead to another way by now.
    private func nameToAsk(of target: Int, at now: MonotonicTime) -> Int? {
        guard let name = names.index(of: target), names[name].isIdle, !names[name].isValid(at: now) else { return nil }
        return cutOff(target) == nil ? nil : name
    }

    /// The targets that are cut off, and whose name has led them elsewhere.
    func moved(_ name: Int, to addresses: [IPAddress]) -> [Int] {
        names[name].targets.filter { target in
            guard settings.targets[target].role != .witness, !isBeingAsked(target) else { return false }
            let known = targets[target].hosts.map { hosts[$0].address }
            return !known.isEmpty && isElsewhere(addresses, than: known) && cutOff(target) != nil
        }
    }

    /// Whether any address is new. One of a family that none was asked by is not: there was no way to it before.
    private func isElsewhere(_ addresses: [IPAddress], than known: [IPAddress]) -> Bool {
        guard addresses.contains(where: known.contains) else { return !addresses.isEmpty }
        let families = Set(known.map(\.family))
        return addresses.contains { families.contains($0.family) && !known.contains($0) }
    }

    /// Those that are asked in turn while a way is dead, a reference first: all, and then only those that were heard before,
    /// where there are any.
    private func ring(of way: Int) -> [Int] {
        let all = pick(Rules.rotated, of: way, without: [])
        guard ways[way].rotated >= all.count else { return all }
        let known = all.filter { hosts[$0].heard != nil }
        return known.isEmpty ? all : known
    }

    /// The link under a dead tunnel may have died since, or come back: it is asked along with the tunnel. Where it was heard
    /// that was asked when the tunnel was, in vain, the fault is the tunnel's.
    private mutating func followLink(under way: Int, at now: MonotonicTime) {
        let below = waysBelow(way).filter { !ways[$0].isDead }
        if let asked = ways[way].rotatedAt, below.contains(where: { ways[$0].isProven(since: asked) }) {
            accuse(.path, of: way)
        }
        for link in below { for host in pick(1, of: link, without: []) { sendTouch(host, isNews: true, at: now) } }
    }

    /// A host is heard over a dead way: all that was found over it is found anew.
    mutating func revived(_ way: Int, at now: MonotonicTime) {
        markTargets(of: way)
        if ways[way].reachesAll { planGap(way, at: now + ways[way].gap(at: now)) }
        names.forgive()
        askOtherDead(than: way, at: now)
        startSweep(at: now)
    }

    /// What has brought one way back may have brought back the others of its interface, and what leads through it: they are
    /// asked at once, and waited for, so that it is one event.
    private mutating func askOtherDead(than way: Int, at now: MonotonicTime) {
        guard ways[way].reachesAll else { return }
        let (kin, interface) = (kin(of: way).filter { ways[$0].reachesAll }, ways[way].way.interface)
        let others = ways.indices.filter { other in
            let isOver = ways[other].course?.below.contains(interface) == true
            return ways[other].isDead
                && (isOver || kin.contains(other) || ways[other].way.underlying == ways[way].way)
        }
        guard !others.isEmpty else { return }
        awaitOthers(at: now)
        askDead(others, at: now)
    }

    /// Asks a few hosts of each of some dead ways.
    private mutating func askDead(_ dead: [Int], at now: MonotonicTime) {
        for way in dead {
            for host in pick(Rules.row, of: way, without: []) { sendTouch(host, isNews: false, at: now) }
        }
    }

    /// This host can send again: what was dead before may live by now.
    mutating func askAllDead(at now: MonotonicTime) {
        askDead(ways.indices.filter { ways[$0].isDead && ways[$0].isPresent }, at: now)
    }
}
