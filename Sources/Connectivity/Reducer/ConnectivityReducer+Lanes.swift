internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

/// Which lanes there are, and what each of them asks.
extension ConnectivityReducer {
    /// Takes another path in, unless its link comes and goes. Where nothing is probed, each change is told as it comes.
    mutating func follow(_ update: PathUpdate, at now: Instant, _ output: inout Output) -> Origin? {
        guard !configuration.watched.isEmpty else {
            flaps = PathFlaps()
            return take(update, at: now, &output)
        }
        switch flaps.decide(update, at: now.monotonic) {
        case .hold: return nil
        case .tell(let update, let losses):
            news.losses = losses
            return take(update, at: now, &output)
        }
    }

    /// Takes the path in that has come to rest.
    mutating func endFlapping(at now: Instant, _ output: inout Output) -> Origin? {
        guard let (update, losses) = flaps.end(at: now.monotonic) else { return nil }
        for lane in lanes.indices { feed(.settled, to: lane, at: now, &output) }
        let origin = take(update, at: now, &output)
        guard update.path != published?.event.path else { return nil }
        news.losses = losses
        return Origin(origin.source, time: now.monotonic, isResync: origin.isResync)
    }

    /// Takes a path in: lanes that are gone end what they have under way, new ones begin, the others follow it.
    private mutating func take(_ update: PathUpdate, at now: Instant, _ output: inout Output) -> Origin {
        let old = path
        path = update.path
        portals.follow(path, from: old, at: now.monotonic)
        let isUnwatched = update.cause.kind == .resume
        fitLanes(at: now, &output)
        refitMembers(from: old, at: now, &output)
        for lane in lanes.indices {
            for (name, new) in path.renamed(since: old) { feed(.renamed(name, to: new), to: lane, at: now, &output) }
            let network = path.network(for: lanes[lane].key, configuration, targetPlaces, lanes[lane].results)
            if network != lanes[lane].network || isUnwatched {
                lanes[lane].network = network
                feed(.network(network), to: lane, at: now, &output)
            }
            if isUnwatched { feed(.resumed, to: lane, at: now, &output) }
            if targetPlaces.hasBound { rebind(lane, from: old, at: now, &output) }
        }
        return Origin(.cause(update.cause), time: update.readMonotonic, isResync: update.isResync)
    }

    /// Has the lanes that the path wants, and no others.
    private mutating func fitLanes(at now: Instant, _ output: inout Output) {
        let wanted = path.lanes(for: configuration)
        guard wanted != lanes.map(\.key) else { return }
        for lane in lanes where !wanted.contains(lane.key) {
            output.cancelled += lane.assessor.underWay.map(lane.number)
            targetPlaces.note(lane.results)
            news.targets.formUnion(lane.members)
            news.hasVerdict = true
        }
        let known = Dictionary(lanes.map { ($0.key, $0) }) { first, _ in first }
        let limit = configuration.limit(ofEach: wanted.count)
        lanes = wanted.map { key in known[key] ?? makeLane(key, limit: limit, at: now) }
        // Those that stay share it with more than before, or with fewer.
        for lane in lanes.indices { lanes[lane].assessor.limit = limit }
        for lane in lanes.indices where known[lanes[lane].key] == nil {
            feed(.network(lanes[lane].network), to: lane, at: now, &output)
        }
    }

    /// A lane whose interface is of another medium now, as a bond's is by its port, or beside other links, has the targets that
    /// may be asked by it now.
    private mutating func refitMembers(from old: Path, at now: Instant, _ output: inout Output) {
        for lane in lanes.indices {
            let key = lanes[lane].key
            guard key.interface != nil, isOtherwise(key, than: old) else { continue }
            let before = lanes[lane].members
            let members = members(of: key)
            guard members != before else { continue }
            // It looks at every target: not for each path.
            let limit = configuration.limit(ofEach: lanes.count)
            lanes[lane] = remade(lanes[lane], configuration.watched.places, limit: limit, at: now)
            feed(.network(lanes[lane].network), to: lane, at: now, &output)
            news.targets.formUnion(before + members)
            news.wholeLanes.insert(lane)
        }
    }

    private func isOtherwise(_ key: Lane.Key, than old: Path) -> Bool {
        guard let name = key.interface, let before = old.interface(named: name) else { return false }
        return (targetPlaces.hasBound && before.medium != path.interface(named: name)?.medium)
            || old.foreignLinks(of: key) != path.foreignLinks(of: key)
    }

    /// The places of the targets that may be asked by a lane. What is on the link of one interface is not asked by another, but
    /// where the target itself names that.
    private func members(of key: Lane.Key) -> [Int] {
        let foreign = path.foreignLinks(of: key)
        return configuration.watched.indices.filter { target in
            if let foreign, !targetPlaces.isBound(target), targetPlaces.isBeyond(foreign, target) { return false }
            return path.admits(configuration.targets[target], by: key)
        }
    }

    private mutating func makeLane(_ key: Lane.Key, limit: Int, at now: Instant) -> Lane {
        let members = members(of: key)
        let serial = nextSerial
        nextSerial += 1
        let settings = Settings(configuration, members: members, limit: limit)
        let assessor = Assessor(settings, at: now.monotonic, seed: seed &+ serial)
        let results = LatestResults(of: members)
        let network = path.network(for: key, configuration, targetPlaces, results)
        return Lane(key, serial: serial, assessor: assessor, results: results, network: network)
    }

    /// Targets whose own interface is another one now are asked anew.
    private mutating func rebind(_ lane: Int, from old: Path, at now: Instant, _ output: inout Output) {
        guard lanes[lane].key.interface == nil else { return }
        let places = lanes[lane].members.indices.filter { place in
            let target = lanes[lane].members[place]
            return targetPlaces.isBound(target) && path.hasOther(interfaceFor: configuration.targets[target], than: old)
        }
        if !places.isEmpty { feed(.rebound(places), to: lane, at: now, &output) }
    }

    /// Has something else watched from now on. What both have in common goes on to be known, and all is probed.
    mutating func configure(_ new: ConnectivityConfiguration, at now: Instant, _ output: inout Output) -> Origin {
        let old = configuration
        configuration = new
        damping = FlapDamping(new.damping ?? FlapDamping.Configuration())
        takeTargets()
        portals.ask(at: now.monotonic)
        isReconfigured = true
        let before = old.watched.places
        let wanted = path.lanes(for: new)
        for lane in lanes where !wanted.contains(lane.key) {
            output.cancelled += lane.assessor.underWay.map(lane.number)
        }
        let known = Dictionary(lanes.map { ($0.key, $0) }) { first, _ in first }
        let limit = new.limit(ofEach: wanted.count)
        lanes = wanted.map { key in
            known[key].map { remade($0, before, limit: limit, at: now) } ?? makeLane(key, limit: limit, at: now)
        }
        for lane in lanes.indices {
            feed(.network(lanes[lane].network), to: lane, at: now, &output)
            if known[lanes[lane].key] != nil { feed(.requested, to: lane, at: now, &output) }
            news.wholeLanes.insert(lane)
        }
        news.targets.formUnion(health.indices)
        return Origin(
            .cause(Cause(kind: .request, description: "the configuration was changed")), time: now.monotonic)
    }

    /// A lane for other targets that goes on from what is known.
    private func remade(_ old: Lane, _ before: [Target: Int], limit: Int, at now: Instant) -> Lane {
        let members = members(of: old.key)
        let settings = Settings(configuration, members: members, limit: limit)
        var places: [Int?] = members.map { before[configuration.targets[$0]].flatMap(old.place) }
        places += settings.targets.dropFirst(members.count).map { _ in nil }
        let assessor = Assessor(settings, adopting: old.assessor, places: places, at: now.monotonic)
        let results = LatestResults(of: members, from: old.results, at: places)
        let network = path.network(for: old.key, configuration, targetPlaces, results)
        var lane = Lane(old.key, serial: old.serial, assessor: assessor, results: results, network: network)
        lane.adopt(old, places: places)
        return lane
    }
}

extension [Target] {
    /// The place of each.
    fileprivate var places: [Target: Int] {
        Dictionary(enumerated().map { ($1, $0) }) { first, _ in first }
    }
}

extension Settings {
    init(_ configuration: ConnectivityConfiguration, members: [Int], limit: Int) {
        var targets = members.map { Watched(configuration.targets[$0], configuration) }
        if configuration.asksWitnesses, !targets.isEmpty {
            targets.append(.httpWitness(configuration))
            targets += ConnectivityConfiguration.witnesses.map { .witness($0, configuration) }
        }
        self.init(targets: targets)
        jitter = configuration.jitter
        self.limit = limit
        retryDelay = configuration.retryDelay
        staleIntervals = configuration.staleIntervals
        policy =
            switch configuration.policy {
            case .all: .all
            case .any: .any
            case .quorum(let number): .quorum(number)
            case .weight(let weight): .weight(weight)
            }
    }
}
