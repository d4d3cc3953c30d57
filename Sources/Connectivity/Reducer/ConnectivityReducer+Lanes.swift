internal import EventLoop
internal import NetworkAddress
internal import Reachability

extension Path {
    /// The ways that probes should take over it.
    func lanes(for configuration: ConnectivityConfiguration) -> [Lane.Key] {
        guard status != .unknown, !configuration.watched.isEmpty else { return [] }
        // Without a way out there still is one to those on this host's own link.
        guard status.isReachable else { return [.route] }
        if configuration.perInterface { return uplinks }
        let families = AddressFamily.allCases.filter { self[$0].isUsable }
        guard configuration.perFamily || families.contains(where: { self[$0].isMultipath }) else { return [.route] }
        return families.flatMap { family in
            self[family].isMultipath
                ? self[family].legInterfaces.map { Lane.Key(interface: $0, family: family) }
                : [Lane.Key(family: family)]
        }
    }
}

extension ConnectivityReducer {
    mutating func cancelProbes(of lane: Int, _ output: inout Output) {
        let own = inFlight.values.filter { checks[$0].lane == lane }
        for index in own.sorted() { cancelProbe(of: index, &output) }
    }

    mutating func cancelProbe(of index: Int, _ output: inout Output) {
        guard let probe = checks[index].probe.take() else { return }
        inFlight[probe] = nil
        output.cancelled.append(probe)
    }

    /// Changes a check and keeps its lane's sums true.
    mutating func update(_ index: Int, _ change: (inout Check) -> Void) {
        let lane = checks[index].lane
        lanes[lane].tally.remove(checks[index])
        lanes[lane].suspects -= checks[index].isSuspect ? 1 : 0
        lanes[lane].stale -= checks[index].isStale ? 1 : 0
        change(&checks[index])
        lanes[lane].add(checks[index])
        dirty.insert(checks[index].targetIndex)
    }
}
