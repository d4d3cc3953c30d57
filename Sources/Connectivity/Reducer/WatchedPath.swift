internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

/// The path, and what is watched over it: by which lanes, and which target by which of them.
struct WatchedPath: Sendable {
    let configuration: ConnectivityConfiguration
    var path = Path.unknown
    /// Where the targets are, as far as the configuration says.
    let places: TargetPlaces
    /// Whether each address of a target is probed, so that a target that is up may have something to tell.
    let probesEachAddress: Bool

    init(_ configuration: ConnectivityConfiguration, over path: Path = .unknown) {
        (self.configuration, self.path) = (configuration, path)
        places = TargetPlaces(configuration.watched)
        probesEachAddress = configuration.watched.contains(where: \.eachAddress)
    }

    /// The ways that probes should take.
    var keys: [Lane.Key] { path.lanes(for: configuration) }

    /// Whether the APIs of portals are asked at all.
    var asksPortals: Bool {
        path.status.isReachable && configuration.probesEnabled && !configuration.targets.isEmpty
    }

    /// The interface that all targets are bound to; nil where there are others.
    var onlyInterface: String? { places.onlyInterface(over: path) }

    /// The places of the targets that may be asked by a lane. What is on the link of one interface is not asked by another, but
    /// where the target itself names that.
    func members(of key: Lane.Key) -> [Int] {
        let foreign = path.foreignLinks(of: key)
        return configuration.watched.indices.filter { target in
            if let foreign, !places.isBound(target), places.isBeyond(foreign, target) { return false }
            return path.admits(configuration.targets[target], by: key)
        }
    }

    /// Whether a lane's interface is of another medium than over another path, as a bond's is by its port, or beside other
    /// links, so that other targets may be asked by it.
    func hasOther(membersOf key: Lane.Key, than old: Path) -> Bool {
        guard let name = key.interface, let before = old.interface(named: name) else { return false }
        return (places.hasBound && before.medium != path.interface(named: name)?.medium)
            || old.foreignLinks(of: key) != path.foreignLinks(of: key)
    }

    /// Whether a target leaves by an interface of its own that is another one than over another path.
    func hasOther(interfaceFor target: Int, than old: Path) -> Bool {
        places.isBound(target) && path.hasOther(interfaceFor: configuration.targets[target], than: old)
    }

    /// Whether what is asked by a way has to be bound to its interface, because it would leave by another one.
    func isBound(_ way: Way, _ key: Lane.Key) -> Bool {
        key.interface != nil || places.bind(way.interface, over: path)
    }

    /// What is asked whether a portal answers in its place: by the interface of the targets, where they have only one. No
    /// other is to be asked anything, and what a portal there says is no word on them.
    var portalWitness: Target {
        var witness = Target.defaults[0]
        witness.interface = onlyInterface
        // A private address that its name leads to is what is to be seen.
        witness.isPublic = false
        return witness
    }

    /// What the assessor of a lane with these targets is to know.
    func settings(for members: [Int], limit: Int) -> Settings {
        Settings(configuration, members: members, limit: limit)
    }
}

extension Settings {
    fileprivate init(_ configuration: ConnectivityConfiguration, members: [Int], limit: Int) {
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
