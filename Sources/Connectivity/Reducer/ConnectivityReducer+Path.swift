internal import EventLoop
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// Takes a path in: no path ends all probes; another way out has everything that goes by it probed at once.
    mutating func take(_ update: PathUpdate, at now: Instant, _ output: inout Output) -> Origin {
        let old = path
        path = update.path
        portals.follow(path, from: old, at: now.monotonic)
        if hasChecks { follow(from: old, isUnwatched: update.cause.kind == .resume, at: now, &output) }
        return Origin(.cause(update.cause), time: update.readMonotonic, isResync: update.isResync)
    }

    /// Whether there are checks that a path may concern, or may give a way to.
    private var hasChecks: Bool {
        unsettled != nil || !lanes.isEmpty || !health.isEmpty || !configuration.watched.isEmpty
    }

    private mutating func follow(from old: Path, isUnwatched: Bool, at now: Instant, _ output: inout Output) {
        let changes = lanes.map { isUnwatched ? .other : path.change(from: old, for: $0.key) }
        leave(changes, &output)
        guard isUnwatched || concernsChecks(changes, from: old) else { return }
        putOff(changes.map { LaneWork(change: $0) }, from: old, at: now, &output) { work in
            // What was on which link before a sleep is not known.
            work.followsPath = true
            work.forgetsLinks = work.forgetsLinks || isUnwatched
        }
    }

    /// Forgets what is known of ways that are others now, and ends the probes that go by one that has changed.
    private mutating func leave(_ changes: [WayChange], _ output: inout Output) {
        let wanted = path.lanes(for: configuration)
        for (index, change) in changes.enumerated() {
            if change == .other || !wanted.contains(lanes[index].key) { lanes[index].forget() }
            if change != .none { cancelProbes(of: index, &output) }
        }
    }

    /// Whether a check is on a link that is there as before, so that it is still reached as before.
    func keepsLink(_ check: Check, _ work: Unsettled) -> Bool {
        guard !work.forgetsLinks, check.isNear, let address = check.address, let link = path.link(to: address) else {
            return false
        }
        return link == work.path.link(to: address)
    }

    /// Has a target probed whose own interface is another one now, or gives it another way, and forgets what was found then.
    /// Tells whether that is so.
    mutating func rebind(_ index: Int, from old: Path, at now: Instant, _ output: inout Output) -> Bool {
        let target = checks[index].target
        // A lane by an interface has followed it already.
        guard target.isBound, lanes[checks[index].lane].key.interface == nil else { return false }
        let change = path.change(from: old, for: target)
        guard change != .none else { return false }
        if change == .other { update(index) { $0.forget() } }
        cancelProbe(of: index, &output)
        planAnew(index, at: now.monotonic)
        return true
    }

    /// Has a check probed in its turn, and its next failure counted as the first.
    mutating func planAnew(_ index: Int, at now: MonotonicTime) {
        checks[index].resetBackoff()
        checks[index].plan(at: nil)
        if checks[index].probe == nil { planFirst(index, at: now) }
    }

    /// Has everything probed now.
    mutating func request(at now: Instant, _ output: inout Output) {
        portals.ask(at: now.monotonic)
        putOff(lanes.map { _ in LaneWork(change: .some) }, at: now, &output)
    }
}

/// What a change of the path means for what was found over it.
enum WayChange: Int, Hashable, Sendable {
    /// Nothing that probes could feel.
    case none
    /// Worth another look, though what was found still holds.
    case some
    /// Packets leave another way: nothing that was found holds.
    case other
}

extension Path {
    func change(from old: Path, for lane: Lane.Key) -> WayChange {
        let families = lane.family.map { [$0] } ?? AddressFamily.allCases
        let keepsAWay = families.contains { family in
            let (new, old) = (way(lane, family), old.way(lane, family))
            return new != nil && new?.interface == old?.interface && new?.gateway == old?.gateway
        }
        guard keepsAWay else { return .other }
        let isSame =
            nameServers == old.nameServers && families.allSatisfy { way(lane, $0) == old.way(lane, $0) }
        return isSame ? .none : .some
    }

    /// The same for a target that is bound to an interface.
    func change(from old: Path, for target: Target) -> WayChange {
        let name = interface(for: target)
        guard name == old.interface(for: target) else { return .other }
        let lane = Lane.Key(interface: name, family: target.family)
        return name != nil && (hasWay(lane) || old.hasWay(lane)) ? change(from: old, for: lane) : .none
    }

    private func hasWay(_ lane: Lane.Key) -> Bool {
        AddressFamily.allCases.contains { (lane.family ?? $0) == $0 && way(lane, $0) != nil }
    }

    /// The way of one family, by the route or by the lane's interface; nil where there is none.
    private func way(_ lane: Lane.Key, _ family: AddressFamily) -> FamilyPath? {
        guard let name = lane.interface else {
            var way = self[family]
            way.kernel = nil
            return way.isUsable ? way : nil
        }
        guard let usability = interfaces.first(where: { $0.name == name })?[family], usability.isUsable
        else { return nil }
        var way = FamilyPath(isUsable: true)
        way.interface = name
        way.gateway = usability.gateway
        way.source = usability.source
        return way
    }

    /// Each interface that could carry traffic out, in each family in which it could.
    var uplinks: [Lane.Key] {
        interfaces.flatMap { interface in
            AddressFamily.allCases.filter { interface[$0].isUsable }
                .map { Lane.Key(interface: interface.name, family: $0) }
        }
    }
}
