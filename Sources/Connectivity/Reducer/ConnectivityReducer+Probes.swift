internal import EventLoop
internal import Reachability

extension ConnectivityReducer {
    /// Starts what is due, as far as the limit of probes under way allows.
    mutating func startDueProbes(at now: Instant, _ output: inout Output) {
        guard unsettled == nil else { return }
        if !wideProbes.isEmpty { wideProbes = wideProbes.filter { inFlight[$0.key] != nil } }
        while let entry = nextEntry(), hasRoom(for: entry.check) {
            guard entry.due <= now.monotonic else {
                output.wake = entry.due
                return
            }
            switch decide(entry, at: now) {
            case .hold:
                output.wake = entry.due
                return
            case .putOff:
                output.putOff += 1
            case .start:
                agenda.removeFirst()
                start(entry.check, &output)
            }
        }
    }

    /// Whether one more probe may be under way. One of each address counts as many times as it may have connections open.
    private func hasRoom(for index: Int) -> Bool {
        let limit = configuration.maximumProbesInFlight
        guard inFlight.count < limit else { return false }
        let width = width(of: checks[index])
        guard width > 1 || !wideProbes.isEmpty else { return true }
        return wideProbes.values.reduce(inFlight.count + width) { $0 + $1 - 1 } <= limit
    }

    /// How many connections a check's probe has open at one time: one, or one for each address that its name had last time,
    /// or may have where that is not known.
    private func width(of check: Check) -> Int {
        guard check.target.eachAddress, check.target.address == nil else { return 1 }
        let known = check.result?.addresses.map { max($0.count, 1) }
        return min(known ?? Prober.mostAddresses, configuration.maximumProbesInFlight)
    }

    /// The first entry that still is its check's plan.
    private mutating func nextEntry() -> Agenda.Entry? {
        while let entry = agenda.first {
            if checks[entry.check].due == entry.due { return entry }
            agenda.removeFirst()
        }
        return nil
    }

    private mutating func start(_ index: Int, _ output: inout Output) {
        lastProbe += 1
        let target = checks[index].target
        let lane = lanes[checks[index].lane].key
        var probe = Probe(
            id: lastProbe, target: target, interface: lane.interface ?? path.interface(for: target),
            family: lane.family ?? target.family, timeout: timeout(of: index))
        probe.due = checks[index].due
        let width = width(of: checks[index])
        if width > 1 { wideProbes[lastProbe] = width }
        if target.eachAddress { probe.width = width }
        if checks[index].isFirst { lanes[checks[index].lane].passTurn(index) }
        checks[index].begin(lastProbe)
        inFlight[lastProbe] = index
        output.probes.append(probe)
    }

    /// The result that an input brings, if somebody still waits for it.
    func awaited(_ input: Input) -> ProbeResult? {
        guard case .ended(let id, let result) = input, inFlight[id] != nil else { return nil }
        return result
    }

    /// Takes a result in and plans the check's next probe. The result of a probe that was cancelled says nothing.
    mutating func take(
        _ result: ProbeResult, of id: Probe.ID, at now: Instant, _ output: inout Output
    ) -> Origin? {
        guard let index = inFlight.removeValue(forKey: id) else { return nil }
        checks[index].probe = nil
        guard result.outcome != .cancelled, !isForWantOfMeans(result, index) else {
            plan(index, at: now.monotonic.advanced(by: jittered(configuration.retryDelay, of: index)))
            return nil
        }
        let lane = checks[index].lane
        let (rise, fall) = (configuration.rise, configuration.fall(of: checks[index].target))
        let needsWitness = lanes[lane].checks > 1
        // A proxy on the link tells of its far side.
        let isNear = checks[index].target.proxy == nil ? result.remoteAddress.map(path.isOnLink) : nil
        update(index) { check in
            if let isNear { check.place(isNear: isNear) }
            check.take(result, rise: rise, fall: fall, needsWitness: needsWitness)
        }
        lanes[lane].checkedAt = result.endMonotonic
        planExpiry(index)
        let next = now.monotonic.advanced(by: nextWait(index))
        planRecheck(index, at: spread(of: index).meeting(near: next))
        weigh(result, of: lane)
        // Somebody has logged in, it seems.
        if result.outcome == .success, hasCaptivePortal(lane) { portals.ask(at: now.monotonic) }
        listen(to: Standing(result), of: index, at: now, heardAt: result.endMonotonic, &output)
        return Origin(.probe(result), time: result.endMonotonic)
    }

    /// Whether this host had no descriptor or memory left to ask with: that is no evidence of what was known before.
    private func isForWantOfMeans(_ result: ProbeResult, _ index: Int) -> Bool {
        result.outcome == .failure && result.reason == .overloaded && checks[index].standing != .pending
    }

    /// How checks that are all due at once are drawn apart.
    var spread: Spread { Spread(count: checks.count, interval: configuration.interval) }

    /// The same over the check's own interval.
    private func spread(of index: Int) -> Spread {
        Spread(
            count: checks.count, interval: configuration.interval(of: checks[index].target),
            isSecure: checks[index].isSecure)
    }

    /// Has a check probed at once or, where there are many, in its turn. The agenda has to be made anew afterwards.
    mutating func planFirst(_ index: Int, at now: MonotonicTime) {
        let due = now.advanced(by: spread(of: index).firstWait(rank(index)))
        checks[index].planFirst(at: due, isToSpread: spread.isNeeded)
    }

    /// How many go before a check where all are due: references none, and one lane as many as another.
    private func rank(_ index: Int) -> Int {
        guard checks[index].group == .targets else { return 0 }
        let lane = checks[index].lane
        return lanes[lane].rank(index) * lanes.count + lane
    }

    mutating func nextWait(_ index: Int) -> Duration {
        if checks[index].takeSpread() { return spread(of: index).secondWait(rank(index)) }
        let delay = delay(of: index)
        return jittered(delay, of: index)
    }

    mutating func plan(_ index: Int, at due: MonotonicTime) {
        checks[index].plan(at: due)
        agenda.plan(index, at: due)
    }

    /// Plans the next look that nobody has asked for.
    mutating func planRecheck(_ index: Int, at due: MonotonicTime) {
        plan(index, at: due)
        checks[index].recheckDue = due
    }

    /// The interval while all is well; after failures a wait that doubles up to it.
    private func delay(of index: Int) -> Duration {
        let failures = checks[index].failures
        guard failures > 0 else { return interval(of: index) }
        // 2^20 seconds are twelve days: beyond that the interval is surely the smaller one.
        let delay = configuration.retryDelay * (1 << min(failures - 1, 20))
        return min(delay, configuration.interval(of: checks[index].target))
    }

    /// From one of its probes to the next while all is well.
    func interval(of index: Int) -> Duration {
        let interval = configuration.interval(of: checks[index].target)
        return isMetered(index) ? interval * ConnectivityConfiguration.meteredFactor : interval
    }

    private func isMetered(_ index: Int) -> Bool {
        guard !configuration.metered.isEmpty else { return false }
        let bound = lanes[checks[index].lane].key.interface ?? path.interface(for: checks[index].target)
        let interfaces = bound.map { [$0] } ?? path.interfacesInUse
        return interfaces.contains(where: configuration.metered.contains)
    }

    private mutating func jittered(_ delay: Duration, of index: Int) -> Duration {
        delay * (1 + configuration.jitter(of: checks[index].target) * Double.random(in: -1...1, using: &random))
    }
}

extension Cause {
    /// The end of a probe as the cause of what followed.
    init(probe result: ProbeResult) {
        let milliseconds = result.durationNanoseconds / 1_000_000
        let addresses = result.addresses.map { "; \($0.summary)" } ?? ""
        let outcome = (result.failure ?? "answered as expected in \(milliseconds) ms") + addresses
        self.init(
            kind: .probe, description: "\(result.target): \(outcome)", interface: result.interface,
            fields: ["target": result.target, "outcome": result.outcome.rawValue])
        if let reason = result.reason { fields["reason"] = reason.rawValue }
        if let code = result.statusCode { fields["status"] = "\(code)" }
    }
}
