internal import EventLoop
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// Takes a path in: no path ends all probes; another way out has everything that goes by it probed at once.
    mutating func take(_ update: PathUpdate, at now: Instant, _ output: inout Output) -> Origin {
        let old = path
        path = update.path
        portals.follow(path, from: old, at: now.monotonic)
        let isUnwatched = update.cause.kind == .resume
        if isUnwatched { forgetLinks() }
        putOff(
            lanes.map { isUnwatched ? .other : path.change(from: old, for: $0.key) }, from: old, at: now.monotonic,
            &output)
        // The first event tells all targets.
        if !putsOff || published == nil { settle(at: now, &output) }
        return Origin(.cause(update.cause), time: update.time, isResync: update.isResync)
    }

    /// What was on which link before a sleep is not known.
    private mutating func forgetLinks() {
        for index in checks.indices where checks[index].isNear {
            update(index) { $0.place(isNear: false) }
        }
    }

    /// Forgets what was found for a target whose medium has another interface now.
    mutating func rebind(_ index: Int, from old: Path, at now: Instant, _ output: inout Output) {
        let target = checks[index].target
        guard target.medium != nil, path.interface(for: target) != old.interface(for: target) else { return }
        update(index) { $0.forget() }
        cancelProbe(of: index, &output)
        checks[index].plan(at: now.monotonic)
    }

    /// Has every check of a lane probed now. The agenda has to be made anew afterwards.
    mutating func plan(lane: Int, at now: MonotonicTime) {
        lanes[lane].beginTurn()
        for index in lanes[lane].checkRange { planAnew(index, at: now) }
    }

    /// Has a check probed in its turn, and its next failure counted as the first.
    mutating func planAnew(_ index: Int, at now: MonotonicTime) {
        checks[index].resetBackoff()
        checks[index].plan(at: nil)
        if checks[index].probe == nil { planFirst(index, at: now) }
    }

    /// Makes the agenda anew from the checks' plans.
    mutating func replan() {
        agenda.replace(
            with: checks.indices.compactMap { index in
                checks[index].due.map { Agenda.Entry(due: $0, check: index) }
            })
    }

    mutating func request(at now: Instant) {
        portals.ask(at: now.monotonic)
        lanes.indices.forEach { plan(lane: $0, at: now.monotonic) }
        replan()
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
