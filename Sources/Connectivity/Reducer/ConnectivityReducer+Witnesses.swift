internal import EventLoop

/// Is it them, or is it me? A target that falls silent is only down once somebody else is heard over the same uplink
/// afterwards. Where nobody is, the uplink is dead and nothing is known of any target. Those on this host's own link witness
/// for each other only, as long as there are others, and are known when nobody behind the gateway is.
extension ConnectivityReducer {
    /// Draws the conclusions from whether a check got any answer.
    mutating func listen(
        to seen: Standing, of index: Int, at now: Instant, heardAt time: MonotonicTime, _ output: inout Output
    ) {
        guard !seen.saysNothing else { return }
        switch (seen.isHeard, speaksOfItsLinkOnly(index)) {
        case (true, false): hear(index, at: now, heardAt: time, &output)
        case (true, true): confirmSuspects(heard: index, at: time) { $0.isNear }
        case (false, false): miss(index, at: now, &output)
        case (false, true): missOnLink(index, at: now)
        }
    }

    private func speaksOfItsLinkOnly(_ index: Int) -> Bool {
        checks[index].isNear && lanes[checks[index].lane].tally.isMixed
    }

    private mutating func hear(
        _ index: Int, at now: Instant, heardAt time: MonotonicTime, _ output: inout Output
    ) {
        let lane = checks[index].lane
        lanes[lane].hear(index, at: time)
        if lanes[lane].isDead {
            // What failed before was sent to a dead uplink, and he is no witness against those who did.
            revive(lane, except: index, at: now, &output)
        } else {
            confirmSuspects(heard: index, at: time) { _ in true }
        }
    }

    private mutating func confirmSuspects(
        heard index: Int, at time: MonotonicTime, where isWitnessed: (Check) -> Bool
    ) {
        let lane = lanes[checks[index].lane]
        guard lane.suspects > 0 else { return }
        for other in lane.checkRange where other != index && checks[other].isSuspect && isWitnessed(checks[other]) {
            guard let since = checks[other].failingSince, since < time else { continue }
            update(other) { $0.confirm() }
        }
    }

    private mutating func miss(_ index: Int, at now: Instant, _ output: inout Output) {
        let lane = checks[index].lane
        guard !lanes[lane].isDead else { return }
        let isKnownDown = checks[index].standing == .down
        let isNews = !isKnownDown && checks[index].silentEra != lanes[lane].era
        checks[index].silentEra = lanes[lane].era
        lanes[lane].miss(checks[index].group, isNews: isNews, at: now.monotonic)
        if isNews { proveSpares(of: lane, at: now) }
        if lanes[lane].isSilent(fall: configuration.fall(of: checks[index].target)) {
            if lanes[lane].traffic.isCarrying { hearTraffic(of: lane) } else { bury(lane, at: now, &output) }
        } else if !isKnownDown {
            summonWitnesses(of: lane, at: now)
        }
    }

    /// Whether the link or the target is to blame, those behind the gateway can tell, or others on the link.
    private mutating func missOnLink(_ index: Int, at now: Instant) {
        let lane = checks[index].lane
        if lanes[lane].isDead {
            if checks[index].isSuspect, checks[index].standing != .pending { update(index) { $0.suspend() } }
        } else if checks[index].standing != .down {
            summonWitnesses(of: lane, at: now)
        }
    }

    /// Has those probed at once who can tell whether it is the uplink: the references, and a few targets. Those that fail
    /// already are asked again soon enough.
    mutating func summonWitnesses(of lane: Int, at now: Instant) {
        guard unsettled == nil else {
            unsettled?.summoned.insert(lanes[lane].key)
            return
        }
        var targets = lanes[lane].silentTargets
        for index in lanes[lane].checkRange where checks[index].failures == 0 {
            if checks[index].group == .targets {
                guard targets < Lane.witnesses, !checks[index].standing.saysNothing, !speaksOfItsLinkOnly(index) else {
                    continue
                }
                targets += 1
            }
            if checks[index].probe == nil { plan(index, at: now.monotonic) }
        }
    }

    /// Nobody answers: from now on it is not known what the targets do. A few go on asking.
    private mutating func bury(_ lane: Int, at now: Instant, _ output: inout Output) {
        lanes[lane].isDead = true
        lanes[lane].traffic.confirm()
        putOff(LaneWork(isBuried: true), of: lane, at: now, &output)
    }

    mutating func bury(_ index: Int) {
        guard !speaksOfItsLinkOnly(index) else { return }
        if !checks[index].standing.saysNothing { update(index) { $0.suspend() } }
        if checks[index].silentEra != lanes[checks[index].lane].era { checks[index].plan(at: nil) }
    }

    /// Somebody answers again: everyone is asked anew. Probes from before were sent to a dead uplink and say nothing.
    private mutating func revive(_ lane: Int, except heard: Int, at now: Instant, _ output: inout Output) {
        lanes[lane].isDead = false
        cancelProbes(of: lane, &output)
        putOff(LaneWork(change: .some, spared: heard), of: lane, at: now, &output)
    }
}
