internal import EventLoop
internal import NetworkAddress
internal import Reachability

/// What networks say of their portals. It can make the verdict worse, never better: only probes show that an uplink works.
extension ConnectivityReducer {
    mutating func advertise(_ api: String?, on index: UInt32, at now: Instant) -> Origin? {
        guard portals.advertise(api, on: index, at: now.monotonic) else { return nil }
        let what = api.map { "the network's portal is asked at \($0) from now on" }
        return Origin(
            .cause(Cause(kind: .probe, description: what ?? "the network tells of no portal any more")),
            time: now.monotonic)
    }

    mutating func take(_ answer: PortalAnswer, at now: Instant) -> Origin? {
        guard
            portals.take(
                answer, retryDelay: configuration.retryDelay, interval: configuration.interval, at: now.monotonic)
        else { return nil }
        return Origin(.cause(Cause(portal: answer.portal)), time: now.monotonic)
    }

    /// Whether the APIs are asked at all.
    private var asksPortals: Bool {
        path.status.isReachable && configuration.probesEnabled && !configuration.targets.isEmpty
    }

    /// Asks the APIs that are due.
    mutating func askPortals(at now: Instant, _ output: inout Output) {
        guard asksPortals else { return }
        output.portalQuestions = portals.questions(path, timeout: configuration.timeout, at: now.monotonic)
    }

    /// When the next one is.
    var portalsDue: MonotonicTime? { asksPortals ? portals.due : nil }

    /// Whether the network that a lane's probes leave by says that a person has to log in.
    func hasCaptivePortal(_ lane: Int) -> Bool {
        !portals.isEmpty && portal(of: lanes[lane].key)?.isCaptive == true
    }

    /// What the network that a lane's probes leave by says of its portal.
    func portal(of lane: Lane.Key) -> CaptivePortal? {
        let names =
            lane.interface.map { [$0] }
            ?? AddressFamily.allCases.filter { path[$0].isUsable }
            .filter { lane.family == nil || lane.family == $0 }.compactMap { path[$0].interface }
        let known = names.compactMap { name in
            portals.portal(of: path.interface(named: name)?.index)
        }
        return known.first { $0.isCaptive == true } ?? known.first
    }

    /// What the network says that traffic leaves by now.
    var portal: CaptivePortal? {
        let known = lanes.filter { path.isActive($0.key) }.compactMap { portal(of: $0.key) }
        return known.first { $0.isCaptive == true } ?? known.first
    }
}
