package import EventLoop
package import Netlink
package import NetworkAddress

/// What a monitor knows and has told: a value to which news is added, and from which updates come.
///
/// There is no clock and no socket in it. The same news with the same times and the same answers of the kernel make the
/// same updates, live or replayed.
package struct PathReducer: Sendable {
    package let question: PathQuestion
    package private(set) var state = NetworkState()
    package var surroundings = Surroundings() {
        didSet { table = nil }
    }
    /// The path last told; ``Path/unknown`` before the first.
    package private(set) var current = Path.unknown
    /// The destinations that news of routes is wanted for: the question's, and tunnels' far ends.
    package var watched: Set<IPAddress>

    /// What derivations need of both; nil where that has changed.
    private var table: LinkTable?
    private var explanation = Explanation()
    private var isResynced = false
    private var slept: Duration?

    package init(_ question: PathQuestion) {
        self.question = question
        self.watched = Set(question.destinations)
    }

    /// The WireGuard links that are up.
    var wireGuards: [LinkMessage] { table?.wireGuards ?? state.wireGuards }

    // MARK: News

    /// Folds a message into the state; nil where it cannot change the path.
    package mutating func apply(_ notification: NetlinkNotification, at time: MonotonicTime) -> StateChange? {
        // A route that covers none of the destinations cannot answer for them, whatever became of it.
        if case .route(_, let route) = notification {
            guard watched.contains(where: route.destination.contains) else { return nil }
        }
        // What the driver said before is older than this, whichever of the two is right: it is asked again at once.
        if !surroundings.carriers.isEmpty, case .link(_, let link) = notification {
            surroundings.carriers[link.index] = nil
        }
        guard let change = fold(notification) else { return nil }
        explanation.add(change, at: time)
        return change
    }

    private mutating func fold(_ notification: NetlinkNotification) -> StateChange? {
        if case .route = notification {} else { table = nil }
        return state.apply(notification)
    }

    /// Takes a dump for the state, and the difference for news.
    ///
    /// - Parameter cause: Why the state was read anew; nil at the start.
    package mutating func replace(with snapshot: Snapshot, because cause: ResyncCause?, at time: MonotonicTime) {
        table = nil
        let changes = state.replace(with: snapshot)
        guard cause != nil else { return }
        isResynced = true
        for change in changes { explanation.add(change, at: time) }
    }

    /// Notes a change of the surroundings, which the caller has made.
    package mutating func note(_ change: StateChange, at time: MonotonicTime) {
        explanation.add(change, at: time)
    }

    /// Notes that the host was asleep. The next path is told in any case.
    package mutating func noteSleep(_ slept: Duration) {
        self.slept = slept
    }

    // MARK: Paths

    /// Derives the path from what is known and what the kernel answers.
    package mutating func derive(_ oracle: any RoutingOracle) throws(NetlinkError) -> DerivedPath {
        let table = table ?? LinkTable(state, surroundings)
        self.table = table
        return try PathDerivation(question, table, surroundings, oracle).derive()
    }

    /// Takes a path for the present one, and makes the update that tells of it; nil where nothing has changed.
    ///
    /// After a sleep there is an update in any case, since whatever else was known of the network is old.
    package mutating func conclude(_ path: Path, at now: MonotonicTime) -> PathUpdate? {
        defer {
            current = path
            isResynced = false
            slept = nil
            explanation.spend()
        }
        guard path != current || slept != nil else { return nil }
        return PathUpdate(
            previous: current, path: path, cause: cause(of: path), isResync: isResynced, time: explanation.time ?? now)
    }

    private func cause(of path: Path) -> Cause {
        guard current != .unknown else { return .start }
        if let slept { return .resume(after: slept) }
        let explained = explanation.cause(from: current, to: path)
        return isResynced ? .resync(explained) : explained ?? .unannounced
    }
}
