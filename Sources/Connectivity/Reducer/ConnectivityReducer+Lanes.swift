internal import EventLoop
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// The ways that probes should take over the present path.
    var wantedLanes: [Lane.Key] {
        guard path.status != .unknown, configuration.probesEnabled, !configuration.targets.isEmpty else { return [] }
        // Without a way out there still is one to those on this host's own link.
        guard path.status.isReachable else { return [.route] }
        if configuration.perInterface { return path.uplinks }
        let families = AddressFamily.allCases.filter { path[$0].isUsable }
        guard configuration.perFamily || families.contains(where: { path[$0].isMultipath }) else { return [.route] }
        return families.flatMap { family in
            path[family].isMultipath
                ? path[family].legInterfaces.map { Lane.Key(interface: $0, family: family) }
                : [Lane.Key(family: family)]
        }
    }

    /// Makes the lanes fit the path. Lanes and checks that were there before stay as they are; probes of those that are gone
    /// are cancelled, new ones are due now.
    ///
    /// - Returns: Whether they did not fit.
    mutating func fitLanes(from old: Path, at now: Instant, _ output: inout Output) -> Bool {
        let wanted = wantedLanes
        if wanted.isEmpty, lanes.isEmpty, health.isEmpty { return false }
        let mayDiffer = !path.status.isReachable || !old.status.isReachable
        guard wanted != lanes.map(\.key) || wanted.isEmpty || bindsToMedia || (mayDiffer && !holdsAll) else {
            return false
        }
        makeLanes(wanted, at: now, &output) { $0.targetIndex }
        return true
    }

    /// Whether each target has its check and may keep it.
    private var holdsAll: Bool {
        checks.count == configuration.targets.count
            && (path.status.isReachable || checks.allSatisfy { isOnLink($0.target, $0) })
    }

    /// Makes the lanes anew where the targets have changed.
    mutating func remakeLanes(at now: Instant, _ output: inout Output) {
        let targets = configuration.targets.enumerated().map { ($1, $0) }
        let indices = Dictionary(targets) { first, _ in first }
        makeLanes(wantedLanes, at: now, &output) { indices[$0.target] }
    }

    /// - Parameter place: The index of a check's target now; nil where that is gone.
    private mutating func makeLanes(
        _ wanted: [Lane.Key], at now: Instant, _ output: inout Output, _ place: (Check) -> Int?
    ) {
        let (old, oldLanes) = (checks, lanes)
        checks = []
        checks.reserveCapacity(wanted.count * configuration.targets.count)
        lanes = wanted.map { key in oldLanes.first { $0.key == key } ?? Lane(key) }
        for index in wanted.indices {
            var known = [Int?](repeating: nil, count: configuration.targets.count)
            for check in lanes[index].checkRange {
                if let target = place(old[check]) { known[target] = check }
            }
            addChecks(of: index) { target in known[target].map { old[$0] } }
        }
        checksOfTarget = [[Int]](repeating: [], count: health.count)
        for index in checks.indices { checksOfTarget[checks[index].targetIndex].append(index) }
        dirty = Set(health.indices)
        dropProbesWithoutCheck(&output)
        for index in checks.indices where checks[index].isNew { planFirst(index, at: now.monotonic) }
        replan()
        replanExpiry()
    }

    private mutating func addChecks(of lane: Int, _ known: (_ target: Int) -> Check?) {
        lanes[lane].tally = Tally()
        lanes[lane].suspects = 0
        lanes[lane].stale = 0
        let start = checks.count
        for (index, target) in configuration.targets.enumerated() where path.admits(target, by: lanes[lane].key) {
            let known = known(index)
            guard path.status.isReachable || isOnLink(target, known) else { continue }
            let check =
                known?.moved(to: lane, targetIndex: index) ?? Check(target: target, targetIndex: index, lane: lane)
            if check.isSuspect { lanes[lane].suspects += 1 }
            if check.isStale { lanes[lane].stale += 1 }
            lanes[lane].tally.add(check)
            checks.append(check)
        }
        lanes[lane].checkRange = start..<checks.count
    }

    private func isOnLink(_ target: Target, _ known: Check?) -> Bool {
        (known?.address ?? target.address).map(path.isOnLink) ?? false
    }

    private mutating func dropProbesWithoutCheck(_ output: inout Output) {
        var kept: [Probe.ID: Int] = [:]
        for (index, check) in checks.enumerated() {
            if let probe = check.probe { kept[probe] = index }
        }
        output.cancelled += inFlight.keys.filter { kept[$0] == nil }.sorted()
        inFlight = kept
    }

    /// Whether a check is on a link that is there as before, so that it is still reached as before.
    func keepsLink(_ index: Int, from old: Path) -> Bool {
        guard checks[index].isNear, let address = checks[index].address, let link = path.link(to: address) else {
            return false
        }
        return link == old.link(to: address)
    }

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
        lanes[lane].suspects += checks[index].isSuspect ? 1 : 0
        lanes[lane].stale += checks[index].isStale ? 1 : 0
        lanes[lane].tally.add(checks[index])
        dirty.insert(checks[index].targetIndex)
    }
}

extension Check {
    /// This check at another place, planned as before.
    func moved(to lane: Int, targetIndex: Int) -> Check {
        guard self.targetIndex != targetIndex || self.lane != lane else { return self }
        var moved = self
        moved.lane = lane
        moved.targetIndex = targetIndex
        return moved
    }
}
