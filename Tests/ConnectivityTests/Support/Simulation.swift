import EventLoop
import NetworkAddress
import Reachability

@testable import Connectivity

/// A reducer with a clock of the test's own, and what came out of it so far.
struct Simulation {
    var reducer: ConnectivityReducer
    var now: UInt64 = 1_000_000_000
    var events: [Event] = []
    /// Probes that were wanted and have neither ended nor been cancelled.
    var open: [Probe] = []
    /// All that were ever wanted, with their times.
    var started: [(time: UInt64, probe: Probe)] = []
    /// All questions to portals' APIs that were wanted.
    var questions: [PortalQuestion] = []
    var wake: MonotonicTime?
    /// How many probes the last input put off.
    var lastPutOff = 0
    /// Where a target's answers come from, by its name; nil where that does not matter.
    var address: (String) -> IPAddress? = { _ in nil }

    init(_ configuration: ConnectivityConfiguration, seed: UInt64 = 1) {
        reducer = ConnectivityReducer(configuration: configuration, seed: seed)
    }

    /// A simulation of plain targets with these names, without jitter.
    init(
        targets: [String], interval: Duration = .seconds(60), fall: Int = 1, perInterface: Bool = false,
        perFamily: Bool = false
    ) throws {
        var configuration = ConnectivityConfiguration(
            targets: try targets.map { try Target("http://\($0).test/", name: $0) })
        configuration.interval = interval
        configuration.jitter = 0
        configuration.fall = fall
        configuration.perInterface = perInterface
        configuration.perFamily = perFamily
        self.init(configuration)
    }

    mutating func send(_ input: ConnectivityReducer.Input) {
        let output = reducer.reduce(
            input, at: Instant(monotonic: MonotonicTime(nanoseconds: now), wall: now + 1_700_000_000_000_000_000))
        if let event = output.event { events.append(event) }
        if case .ended(let id, _) = input { open.removeAll { $0.id == id } }
        open.removeAll { output.cancelled.contains($0.id) }
        open += output.probes
        started += output.probes.map { (now, $0) }
        questions += output.portalQuestions
        wake = output.wake
        lastPutOff = output.putOff
    }

    mutating func path(_ path: Path, cause: Cause.Kind = .route) {
        send(
            .path(
                PathUpdate(
                    previous: reducer.path, path: path, cause: Cause(kind: cause, description: "the test says so"),
                    time: MonotonicTime(nanoseconds: now))))
    }

    /// Ends the oldest open probe of a target.
    mutating func end(_ target: String, _ outcome: ProbeResult.Outcome, status: Int? = nil) {
        guard let probe = open.first(where: { $0.target.name == target }) else { return }
        end(probe, outcome, status: status)
    }

    mutating func end(_ probe: Probe, _ outcome: ProbeResult.Outcome, status: Int? = nil) {
        open.removeAll { $0.id == probe.id }
        var result = ProbeResult.test(probe.target.name, outcome, status: status, at: now)
        result.remoteAddress = address(probe.target.name)
        send(.ended(probe.id, result))
    }

    /// Ends the probes that are open now, each as it is told.
    mutating func endAll(_ outcome: (Probe) -> ProbeResult.Outcome) {
        // A probe that is cancelled meanwhile does not end.
        for probe in open where open.contains(where: { $0.id == probe.id }) { end(probe, outcome(probe)) }
    }

    mutating func endAll(_ outcome: ProbeResult.Outcome) {
        endAll { _ in outcome }
    }

    /// Goes on for a while, with every probe ended as it is told and a little time passing each.
    mutating func live(_ duration: Duration, _ outcome: (Probe) -> ProbeResult.Outcome) {
        let end = MonotonicTime(nanoseconds: now).advanced(by: duration).nanoseconds
        while now < end {
            now += 1_000_000
            if open.isEmpty { advanceToWake() } else { endAll(outcome) }
        }
    }

    mutating func advance(_ duration: Duration) {
        now = MonotonicTime(nanoseconds: now).advanced(by: duration).nanoseconds
        send(.timer)
    }

    /// Goes on to the next time the reducer asked for.
    mutating func advanceToWake() {
        guard let wake else { return }
        now = max(now, wake.nanoseconds)
        send(.timer)
    }

    var status: ConnectivityStatus? { events.last?.connectivity }

    /// The events but for those that only tell of targets.
    var verdicts: [Event] { events.filter { $0.kind != .target } }
}

extension ProbeResult {
    static func test(_ target: String, _ outcome: Outcome, status: Int? = nil, at time: UInt64) -> ProbeResult {
        var result = ProbeResult(
            target: target, outcome: outcome, duration: 1_000_000, time: MonotonicTime(nanoseconds: time))
        result.statusCode = status
        if outcome != .success { result.failure = "the test says so" }
        return result
    }
}

extension Path {
    /// A path by one interface.
    static func by(_ interface: String, medium: Medium = .ethernet, ipv6: Bool = false, spares: [String] = []) -> Path {
        var family = FamilyPath(isUsable: true)
        family.interface = interface
        family.medium = medium
        var path = Path(
            status: ReachabilityStatus(medium), ipv4: family,
            ipv6: ipv6 ? family : FamilyPath(isUsable: false, reason: .noRoute))
        path.interfaces = ([interface] + spares).enumerated().map { index, name in
            var interface = Interface(
                index: UInt32(index + 2), name: name, medium: medium, operationalState: "up", isUp: true,
                hasCarrier: true)
            interface.ipv4 = InterfaceUsability(isUsable: true)
            if ipv6 { interface.ipv6 = InterfaceUsability(isUsable: true) }
            return interface
        }
        return path
    }

    /// A path whose flows are spread over several interfaces.
    static func byLegs(_ interfaces: [String]) -> Path {
        var path = by(interfaces[0], spares: Array(interfaces.dropFirst()))
        path.ipv4.legs = interfaces.map { FamilyPath.Leg(interface: $0, gateway: nil, isUsable: true) }
        return path
    }

    static let gone = Path(status: .none)
}
