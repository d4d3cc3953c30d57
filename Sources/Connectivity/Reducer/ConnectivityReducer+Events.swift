internal import EventLoop
internal import Reachability

extension ConnectivityReducer {
    /// Judges anew and publishes the state where it has changed.
    mutating func judge(_ origin: Origin, at now: Instant, _ output: inout Output) {
        judgement = currentJudgement
        guard path.status != .unknown || published != nil else { return }
        let state = state
        guard state != published?.to else { return }
        lastSequence += 1
        var event = event(published == nil ? .snapshot : .transition, at: now)
        event.from = published?.to
        event.cause = origin.cause
        event.resync = origin.isResync
        event.latency = now.monotonic.nanoseconds - min(origin.time.nanoseconds, now.monotonic.nanoseconds)
        published = event
        output.event = event
    }

    /// The state as it is, numbered as the last event.
    func snapshot(at now: Instant) -> Event {
        event(.snapshot, at: now)
    }

    private func event(_ kind: Event.Kind, at now: Instant) -> Event {
        var event = Event(
            seq: lastSequence, kind: kind, time: now.wall, monotonic: now.monotonic.nanoseconds, from: nil, to: state,
            cause: published?.cause ?? Cause(kind: .start, description: "the monitor has started"), path: path)
        event.probes = checks.compactMap(\.result)
        event.reason = judgement.reason
        event.portal = judgement.status == .portal ? checks.lazy.compactMap { $0.result?.portal }.first : nil
        return event
    }

    private var state: Event.State {
        Event.State(reachability: path.status, connectivity: judgement.status, interfaces: path.outgoingInterfaces)
    }

    private var currentJudgement: Judgement {
        switch path.status {
        case .unknown: Judgement(.unknown)
        case .none: Judgement(.none, .noPath)
        case .ethernet, .wifi, .wwan, .other: judgementOfProbes
        }
    }

    private var judgementOfProbes: Judgement {
        guard !checks.isEmpty else { return Judgement(.unknown, .probesDisabled) }
        // While probes are under way that could turn it, the last judgement stands.
        return Judgement(tally, policy: configuration.policy) ?? judgement
    }
}

extension Path {
    /// The interfaces traffic leaves by, IPv4's first, each once.
    var outgoingInterfaces: [String] {
        let names = [ipv4, ipv6].filter(\.isUsable).compactMap(\.interface)
        return names.count == 2 && names[0] == names[1] ? [names[0]] : names
    }
}
