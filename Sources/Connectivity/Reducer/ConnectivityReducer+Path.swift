internal import EventLoop
internal import NetworkAddress
internal import Reachability

extension ConnectivityReducer {
    /// Takes a path in: no path ends all probes; another way out has everything probed at once.
    mutating func take(_ update: PathUpdate, at now: Instant, _ output: inout Output) -> Origin {
        let old = path
        path = update.path
        let isOtherWay = !path.keepsAWay(of: old) || update.cause.kind == .resume
        if isOtherWay {
            forgetEvidence()
        }
        if !path.status.isReachable {
            cancelProbes(&output)
            agenda.replace(with: [])
        } else if isOtherWay || path.differsForProbes(from: old) {
            cancelProbes(&output)
            planAll(at: now.monotonic)
        }
        return Origin(cause: update.cause, time: update.time, isResync: update.isResync)
    }

    private mutating func forgetEvidence() {
        judgement = Judgement(.unknown)
        for index in checks.indices {
            update(index) { $0.forget() }
        }
    }

    /// Has every check probed now, and its next failure counted as the first.
    mutating func planAll(at now: MonotonicTime) {
        for index in checks.indices {
            checks[index].resetBackoff()
            checks[index].due = checks[index].probe == nil ? now : nil
        }
        replan()
    }

    /// Makes the agenda anew from the checks' plans.
    mutating func replan() {
        agenda.replace(
            with: checks.indices.lazy.compactMap { [checks] index in
                checks[index].due.map { Agenda.Entry(due: $0, check: index) }
            })
    }

    mutating func cancelProbes(_ output: inout Output) {
        output.cancelled += inFlight.keys.sorted()
        inFlight = [:]
        for index in checks.indices {
            checks[index].probe = nil
            checks[index].due = nil
        }
    }

    /// Changes a check and keeps the tally true.
    mutating func update(_ index: Int, _ change: (inout Check) -> Void) {
        tally.remove(checks[index])
        change(&checks[index])
        tally.add(checks[index])
    }
}

extension Path {
    /// Whether traffic of some family still leaves as it did, so that what was found before still holds.
    func keepsAWay(of old: Path) -> Bool {
        AddressFamily.allCases.contains { family in
            self[family].isUsable && old[family].isUsable && self[family].interface == old[family].interface
                && self[family].gateway == old[family].gateway
        }
    }

    /// Whether something changed that probes could feel.
    func differsForProbes(from old: Path) -> Bool {
        nameServers != old.nameServers
            || AddressFamily.allCases.contains { self[$0].probeFeatures != old[$0].probeFeatures }
    }
}

extension FamilyPath {
    fileprivate var probeFeatures: FamilyPath {
        var features = self
        features.kernel = nil
        return features
    }
}
