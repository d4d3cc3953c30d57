internal import EventLoop
internal import NetworkAddress
internal import Reachability

/// Makes the checks fit the path and the targets. What was there before stays as it is; probes of checks that are gone are
/// cancelled. It is done beside the checks in use, which change places with the new ones once those are complete.
extension ConnectivityReducer {
    /// Begins it; tells whether there is anything to do.
    mutating func beginRefit() -> Bool {
        let new = unsettled?.configuration
        guard new != nil || (unsettled?.followsPath == true && !fits) else { return false }
        let configuration = new ?? configuration
        let targets = configuration.watched
        var begun = Refit(targets: targets, keys: path.lanes(for: configuration))
        if new != nil { begun.renamed = Refit.Renamed(count: max(targets.count, health.count)) }
        refit = begun
        return true
    }

    /// Whether there is a check for each target over each lane where there may be one.
    private var fits: Bool {
        let wanted = path.lanes(for: configuration)
        if wanted.isEmpty, lanes.isEmpty, health.isEmpty { return true }
        guard wanted == lanes.map(\.key), !wanted.isEmpty, !bindsToMedia else { return false }
        guard path.status.isReachable else {
            return !fittedPath.status.isReachable && fittedPath.interfaces == path.interfaces
        }
        return fittedPath.status.isReachable || checks.count == configuration.targets.count
    }

    /// Whether a path asks for anything to be done beside what is under way, which otherwise goes on.
    func concernsChecks(_ changes: [WayChange], from old: Path) -> Bool {
        guard changes.allSatisfy({ $0 == .none }), unsettled?.configuration == nil, !bindsTargets else { return true }
        guard let refit else { return !fits }
        return refit.keys != path.lanes(for: configuration) || !path.status.isReachable || !old.status.isReachable
    }

    /// Does so many steps of it at the most, and tells how many.
    mutating func refit(_ count: Int, at now: Instant, _ output: inout Output) -> Int {
        // Not in two places at once, else every step began with a copy of it.
        guard var work = refit.take() else { return 0 }
        var done = 0
        while done < count, work.takePlace(of: health) || findTarget(&work) || makeCheck(&work) {
            done += 1
            clearAway()
        }
        if done == count {
            refit = work
        } else {
            endRefit(work, at: now, &output)
        }
        return done
    }

    /// Finds what is known of the next target to be; false where all are found.
    private func findTarget(_ work: inout Refit) -> Bool {
        guard let index = work.renamed?.origins.count, index < work.targets.count else { return false }
        let target = work.targets[index]
        let place = work.renamed?.places[target.name]
        let isSame = place.map { configuration.watched[$0] == target } ?? false
        work.renamed?.origins.append(isSame ? place : nil)
        work.renamed?.health.append(place.map { health[$0] } ?? TargetHealth(target: target.name, status: .unknown))
        return true
    }

    /// Makes the next check, where there is to be one, or takes it over; false where all are made.
    private func makeCheck(_ work: inout Refit) -> Bool {
        guard work.next < work.count else { return false }
        let (lane, index) = work.next.quotientAndRemainder(dividingBy: work.targets.count)
        work.next += 1
        if lane == 0 { work.checksOfTarget.append([]) }
        guard lane < work.keys.count else { return true }
        if index == 0 { work.beginLane(lanes) }
        let target = work.targets[index]
        guard path.admits(target, by: work.keys[lane]) else { return true }
        let old = known(index, work)
        let kept = old.map { remembered($0).moved(to: lane, targetIndex: index) }
        guard path.status.isReachable || isOnLink(target, kept) else { return true }
        if let old, lanes[checks[old].lane].heard?.check == old { work.heard[lane] = work.checks.count }
        work.add(kept ?? Check(target: target, targetIndex: index, lane: lane))
        return true
    }

    /// The check of a target to be, in the lane that is being made.
    private func known(_ target: Int, _ work: Refit) -> Int? {
        guard let lane = work.oldLane, let place = work.origin(of: target), place < checksOfTarget.count else {
            return nil
        }
        return checksOfTarget[place].first { checks[$0].lane == lane }
    }

    /// A check as it will be once it has forgotten what does not hold any more.
    private func remembered(_ index: Int) -> Check {
        var check = checks[index]
        guard let work = unsettled, work.lanes[check.lane].change == .other, !keepsLink(check, work) else {
            return check
        }
        check.forget()
        return check
    }

    private func isOnLink(_ target: Target, _ known: Check?) -> Bool {
        (known?.address ?? target.address).map(path.isOnLink) ?? false
    }

    // MARK: Taking their places

    private mutating func endRefit(_ work: Refit, at now: Instant, _ output: inout Output) {
        let (oldLanes, oldWork) = (lanes, unsettled?.lanes ?? [])
        lanes = zip(work.lanes, work.heard).map { fitted, heard in
            var lane = oldLanes.first { $0.key == fitted.key } ?? Lane(fitted.key)
            lane.refit(as: fitted, heard: heard)
            return lane
        }
        unsettled?.lanes = lanes.map { lane in
            guard var own = oldLanes.firstIndex(where: { $0.key == lane.key }).map({ oldWork[$0] }) else {
                return LaneWork()
            }
            own.spared = nil
            return own
        }
        remains.append(Remains(checks: checks, checksOfTarget: checksOfTarget))
        (checks, checksOfTarget) = (work.checks, work.checksOfTarget)
        fittedPath = path
        output.cancelled += inFlight.keys.filter { work.inFlight[$0] == nil }.sorted()
        inFlight = work.inFlight
        unsettled?.isRefitted = true
        if let renamed = work.renamed { takeConfiguration(renamed.health, at: now) }
        beginPlanning(at: now)
    }

    // MARK: What is left of the old ones

    /// Checks that are not in use any more. To free thousands takes time, too.
    struct Remains: Sendable {
        var checks: [Check]
        var checksOfTarget: [[Int]]
    }

    /// Leaves what was made of the checks, which are to be others now.
    mutating func abandonRefit() {
        guard let work = refit.take() else { return }
        remains.append(Remains(checks: work.checks, checksOfTarget: work.checksOfTarget))
    }

    /// Frees the next of them.
    mutating func clearAway() {
        guard let last = remains.indices.last else { return }
        let (check, list) = (remains[last].checks.popLast(), remains[last].checksOfTarget.popLast())
        if check == nil, list == nil { remains.removeLast() }
    }
}

extension Check {
    /// This check at another place, planned as before.
    fileprivate func moved(to lane: Int, targetIndex: Int) -> Check {
        guard self.targetIndex != targetIndex || self.lane != lane else { return self }
        var moved = self
        moved.lane = lane
        moved.targetIndex = targetIndex
        return moved
    }
}

extension ConnectivityConfiguration {
    /// The targets that are probed.
    var watched: [Target] { probesEnabled ? targets : [] }
}
