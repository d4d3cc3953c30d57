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
        didSet {
            table = nil
            if surroundings.facts != oldValue.facts { index = nil }
        }
    }
    /// The path last told; ``Path/unknown`` before the first.
    package private(set) var current = Path.unknown
    /// Where packets are to go besides, as far as there is no way out.
    package var others: [IPAddress]? {
        didSet {
            areOthersNew = true
            explanation = RecentChanges()
        }
    }
    /// Whether the next path may be another one for what is asked, though the kernel has changed nothing.
    private var areOthersNew = false
    /// The destinations that news of routes is wanted for: the question's, and tunnels' far ends.
    package var watched: Set<IPAddress>

    /// What derivations need of both; nil where that has changed.
    private var table: LinkTable?
    /// The state's links by their sorts; nil where they are to be sorted anew.
    private var index: LinkIndex?
    private var explanation = RecentChanges()
    /// Why messages were lost whose content cannot be known any more, until all is quiet or the next path is told.
    private var loss = Loss.none
    private var slept: Duration?

    package init(_ question: PathQuestion) {
        self.question = question
        self.watched = Set(question.destinations)
    }

    /// What is known of the messages that were lost.
    private enum Loss: Hashable {
        case none
        /// Some were lost, and the state has not been read anew yet.
        case suffered
        /// It has been read anew, and what has changed with them may not have been told yet.
        case repaired
    }

    /// The WireGuard links that are up.
    var wireGuards: [LinkMessage] {
        mutating get { sorted().wireGuards.compactMap { state.links[$0] } }
    }

    /// The links beside hardware that could be ways out.
    var possibleWays: Set<UInt32> {
        mutating get { sorted().addressed }
    }

    private mutating func sorted() -> LinkIndex {
        let sorted = index ?? LinkIndex(state, surroundings.facts)
        index = sorted
        return sorted
    }

    // MARK: News

    /// Folds a message into the state; nil where it cannot change the path.
    package mutating func apply(_ notification: NetlinkNotification, at time: MonotonicTime) -> StateChange? {
        // A route that covers none of the destinations cannot answer for them, whatever became of it.
        if case .route(_, let route) = notification {
            guard watched.contains(where: route.destination.contains) else { return nil }
        }
        // What the driver said before is older than this, whichever of the two is right: it is asked again at once.
        if !surroundings.carriers.isEmpty, case .link(_, let link) = notification, link.isAboutDevice {
            surroundings.carriers[link.index] = nil
        }
        guard let change = fold(notification) else { return nil }
        explanation.add(change, at: time)
        return change
    }

    private mutating func fold(_ notification: NetlinkNotification) -> StateChange? {
        switch notification {
        case .link(_, let link): fold(notification, about: link.index)
        case .address(_, let address): fold(notification, about: address.index)
        case .rule: foldRule(notification)
        case .route, .nexthop, .netconf, .userOption: state.apply(notification)
        }
    }

    private mutating func foldRule(_ notification: NetlinkNotification) -> StateChange? {
        table = nil
        return state.apply(notification)
    }

    private mutating func fold(_ notification: NetlinkNotification, about link: UInt32) -> StateChange? {
        // It holds the state, all of which would be copied to be changed.
        table = nil
        let change = state.apply(notification)
        index?.update(link, state, surroundings.facts)
        return change
    }

    /// Notes that messages were lost. What the others before them would explain may have had another cause.
    package mutating func noteLoss() {
        loss = .suffered
    }

    /// Takes a dump for the state.
    ///
    /// - Parameter cause: Why the state was read anew; nil at the start.
    package mutating func replace(with snapshot: Snapshot, because cause: ResyncCause?) {
        table = nil
        index = nil
        _ = state.replace(with: snapshot)
        guard cause != nil else { return }
        loss = .repaired
        explanation = RecentChanges()
    }

    /// Notes that all that came with the messages lost has been seen by now.
    package mutating func noteQuiet() {
        if loss == .repaired { loss = .none }
    }

    /// Whether what is told next is told after a loss.
    var isResynced: Bool { loss != .none }

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
        let table = table ?? LinkTable(state, sorted(), surroundings)
        self.table = table
        return try PathDerivation(question, others: others, table, surroundings, oracle).derive()
    }

    /// Takes a path for the present one, and makes the update that tells of it; nil where nothing has changed.
    ///
    /// After a sleep there is an update in any case, since whatever else was known of the network is old.
    package mutating func conclude(_ path: Path, at now: MonotonicTime) -> PathUpdate? {
        defer {
            current = path
            slept = nil
            areOthersNew = false
            explanation.spend()
        }
        explanation.forget(before: now)
        guard path != current || slept != nil else { return nil }
        defer { if loss == .repaired { loss = .none } }
        return PathUpdate(
            previous: current, path: path, cause: cause(of: path), isResync: isResynced, time: explanation.time ?? now)
    }

    /// Whether it is known why the path became this one. The kernel answers by a new route before it tells of it.
    mutating func isExplained(_ path: Path, at now: MonotonicTime) -> Bool {
        explanation.forget(before: now)
        return path == current || current == .unknown || slept != nil || isResynced || areOthersNew
            || explanation.change(from: current, to: path) != nil
    }

    /// After a loss none of the changes that are known is said to be the cause: it may be one of those that are not.
    private func cause(of path: Path) -> Cause {
        guard current != .unknown else { return .start }
        if let slept { return .resume(after: slept) }
        if areOthersNew, !isResynced { return .otherPlaces }
        return isResynced ? .resync : explanation.change(from: current, to: path)?.cause ?? .unannounced
    }
}
