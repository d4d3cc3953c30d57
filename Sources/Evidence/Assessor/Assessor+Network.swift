internal import EventLoop
internal import NetworkAddress

/// What another path means, and time in which nobody looked.
extension Assessor {
    mutating func follow(_ new: Network, at now: MonotonicTime) {
        let old = network
        network = new
        let courses = Dictionary(new.ways.map { ($0.way, $0) }) { first, _ in first }
        for course in new.ways { _ = index(of: course.way) }
        for way in ways.indices {
            let course = courses[ways[way].way]
            if course == nil || !old.ways.contains(where: { $0.way == ways[way].way }) { abandon(way) }
            ways[way].course = course
        }
        for course in new.ways where course.reachesAll { prepareReferences(of: course) }
        if old.nameServers != new.nameServers || !old.isReachable { forgetNames(at: now) }
        guard new.isReachable else { return }
        if !isStarted { planTurns(at: now) }
        startSweep(at: now)
        for way in ways.indices where ways[way].course?.reachesAll == true {
            planGap(way, at: now + Rules.gap)
        }
    }

    private mutating func abandon(_ way: Int) {
        ways[way].reset()
        uncharged[way] = []
        slowHosts[way] = [:]
    }

    /// The built-in references and the caller's are hosts by each way that leads everywhere.
    private mutating func prepareReferences(of course: Network.Course) {
        let way = index(of: course.way)
        for watched in settings.targets where watched.role != .target {
            for address in watched.addresses where address.family == course.way.family {
                let host = index(of: Host(address: address, way: course.way))
                if !referencesOfWay[way].contains(host) { referencesOfWay[way].append(host) }
            }
        }
    }

    /// Nothing that was known is known, and what is under way says nothing.
    mutating func resume(at now: MonotonicTime) {
        output.cancelled += open.keys.sorted()
        open = [:]
        for target in targets.indices { targets[target].ask = nil }
        for way in ways.indices { abandon(way) }
        forgetNames(at: now)
        forgetFindings()
        (portalSince, clockSince, inquiries) = (nil, nil, [])
        for target in targets.indices { targets[target].isHeld = false }
        startSweep(at: now)
    }

    mutating func request(at now: MonotonicTime) {
        askPortalSoon(at: now)
        for target in targets.indices where targets[target].ask == nil && settings.targets[target].role != .witness {
            plan(target, at: now)
        }
    }

    /// What was found of all targets is to be found anew.
    mutating func forgetFindings() {
        isNews = true
        for way in ways.indices { ways[way].forget() }
        nowhere = Tally()
        nowhereGeneration += 1
        for target in targets.indices where !targets[target].misses.isEmpty { targets[target].forgive() }
    }

    private mutating func forgetNames(at now: MonotonicTime) {
        for name in names.indices {
            output.cancelled += names[name].asks.keys.sorted()
            for id in names[name].asks.keys { open[id] = nil }
            for target in names[name].waiting { targets[target].isWaiting = false }
            names[name].forget()
        }
        failingNames = []
        lastGoodName = nil
        nameFailure = nil
    }
}
