import EventLoop
import Evidence
import NetworkAddress
import Reachability

@testable import Connectivity

/// A reducer with a clock of the test's own, and what came out of it so far.
///
/// Names are found at once, each at an address of its own. A probe's exchange is told when it is sent, and heard or missed
/// when it ends; a host that is only touched does what its target did last.
struct Simulation {
    var reducer: ConnectivityReducer
    var now: UInt64 = 1_000_000_000
    var events: [Event] = []
    /// Probes that were wanted and have neither ended nor been cancelled.
    var open: [Probe] = []
    /// Hosts that are asked for a word and have not been heard.
    var touches: [(touch: Touch, since: UInt64)] = []
    /// All probes that were ever wanted, with their times.
    var started: [(time: UInt64, probe: Probe)] = []
    /// By which interface each name was looked up; nil for the route's.
    var lookedUp: [(name: String, interface: String?)] = []
    /// When anything was asked, a target or for a word, by an interface.
    var asked: [(time: UInt64, interface: String?)] = []
    /// What the host's own connections say before an input is taken in; nil where they are not looked at.
    var connections: ((ConnectivityReducer, ConnectivityReducer.Input, UInt64) -> [TrafficEvidence]?)?
    /// Whether hosts that are asked for a word wait for ``endAll(_:)``.
    var holdsTouches = false
    /// Whether a portal has ever answered.
    private(set) var hasSeenPortal = false
    /// How many probes were put off in all.
    var putOff = 0
    /// All questions to portals' APIs that were wanted.
    var questions: [PortalQuestion] = []
    var wake: MonotonicTime?
    /// Where a target is, by its name; nil for an address that is made up.
    var address: (String) -> IPAddress? = { _ in nil }
    /// Whether the host at an address answers, as far as that is known.
    private var answers: [Host: Bool] = [:]
    private var names: [IPAddress: String] = [:]
    /// Whether touches are answered as probes are, and not as their hosts did last.
    private var isLive = false
    private var addresses: [String: IPAddress] = [:]

    init(_ configuration: ConnectivityConfiguration, seed: UInt64 = 1) {
        var configuration = configuration
        configuration.asksWitnesses = false
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

    /// The same with another configuration from the beginning.
    mutating func reconfigure(_ change: (inout ConnectivityConfiguration) -> Void) {
        var configuration = reducer.configuration
        change(&configuration)
        let path = reducer.path
        reducer = ConnectivityReducer(configuration: configuration, seed: 1)
        guard path.status != .unknown else { return }
        (open, touches, events, started) = ([], [], [], [])
        self.path(path, cause: .start)
    }

    // MARK: Inputs

    mutating func send(_ input: ConnectivityReducer.Input) {
        var inputs = [input]
        while !inputs.isEmpty {
            let next = inputs.removeFirst()
            if let evidence = connections?(reducer, next, now) { inputs += reduce(.traffic(evidence)) }
            inputs += reduce(next)
        }
    }

    private mutating func reduce(_ input: ConnectivityReducer.Input) -> [ConnectivityReducer.Input] {
        take(
            reducer.reduce(
                input, at: Instant(monotonic: MonotonicTime(nanoseconds: now), wall: now + 1_700_000_000_000_000_000)))
    }

    /// Notes what an input has led to, and returns what follows at once.
    private mutating func take(_ output: ConnectivityReducer.Output) -> [ConnectivityReducer.Input] {
        if let event = output.event { events.append(event) }
        open.removeAll { output.cancelled.contains($0.id) }
        touches.removeAll { output.cancelled.contains($0.touch.id) }
        open += output.probes
        started += output.probes.map { (now, $0) }
        asked += output.probes.map { (now, $0.interface) } + output.touches.map { (now, $0.host.way.interface) }
        lookedUp += output.names.map { ($0.name, $0.interface) }
        questions += output.portalQuestions
        wake = output.wake
        putOff += output.putOff
        var inputs = output.names.map { question in
            let families = question.family.map { [$0] } ?? [.ipv4]
            let found = families.map { address(of: question.name, $0) }
            return ConnectivityReducer.Input.report(.answered(question.id, .addresses(found, lifetime: .seconds(30))))
        }
        inputs += output.probes.map { .report(.sent($0.id, host(of: $0))) }
        for touch in output.touches {
            touches.append((touch, now))
            inputs.append(.report(.sent(touch.id, touch.host)))
            guard !isLive, !holdsTouches, answers[touch.host] == true else { continue }
            inputs += words(of: touch)
            touches.removeLast()
        }
        return inputs
    }

    private func words(of touch: Touch) -> [ConnectivityReducer.Input] {
        [
            .report(.heard(touch.id, touch.host.address, after: .milliseconds(1))),
            .report(.answered(touch.id, .expected)),
        ]
    }

    mutating func path(_ path: Path, cause: Cause.Kind = .route, of interface: String? = nil) {
        send(
            .path(
                PathUpdate(
                    previous: reducer.path, path: path,
                    cause: Cause(kind: cause, description: "the test says so", interface: interface),
                    time: MonotonicTime(nanoseconds: now))))
    }

    // MARK: Answers

    /// Ends the oldest open probe of a target.
    mutating func end(_ target: String, _ outcome: ProbeResult.Outcome, status: Int? = nil) {
        guard let probe = open.first(where: { $0.target.name == target }) else { return }
        end(probe, outcome, status: status)
    }

    mutating func end(_ probe: Probe, _ outcome: ProbeResult.Outcome, status: Int? = nil) {
        end(probe, .test(probe.target.name, outcome, status: status, at: now))
    }

    mutating func end(_ probe: Probe, _ result: ProbeResult) {
        open.removeAll { $0.id == probe.id }
        var result = result
        let host = host(of: probe)
        if result.remoteAddress == nil { result.remoteAddress = address(probe.target.name) }
        hasSeenPortal = hasSeenPortal || result.outcome == .portal
        let isHeard = Self.isHeard(result)
        if let isHeard {
            answers[host] = isHeard
            send(
                .report(
                    isHeard
                        ? .heard(probe.id, host.address, after: .milliseconds(1))
                        : .missed(probe.id, host.address, result.reason == .unreachable ? .told : .silent)))
        }
        send(.ended(probe.id, result))
    }

    /// Whether the target's host was heard; nil where it was not asked.
    private static func isHeard(_ result: ProbeResult) -> Bool? {
        switch result.outcome {
        case .success, .portal: true
        case .skipped, .cancelled: nil
        case .failure:
            result.reason?.isOwn == true
                ? nil : result.statusCode != nil || result.reason == .connectionRefused || result.wasConnected
        }
    }

    /// Ends the probes that are open now, each as it is told, and answers those who are asked for a word alike.
    mutating func endAll(_ outcome: (Probe) -> ProbeResult.Outcome) {
        // A probe that is cancelled meanwhile does not end.
        for probe in open where open.contains(where: { $0.id == probe.id }) { end(probe, outcome(probe)) }
        for (touch, _) in touches where touches.contains(where: { $0.touch.id == touch.id }) {
            guard let probe = probe(like: touch) else { continue }
            touches.removeAll { $0.touch.id == touch.id }
            let isHeard = outcome(probe) == .success || outcome(probe) == .portal
            answers[touch.host] = isHeard
            if isHeard { words(of: touch).forEach { send($0) } } else { silence(touch) }
        }
    }

    private mutating func silence(_ touch: Touch) {
        send(.report(.missed(touch.id, touch.host.address, .silent)))
        send(.report(.answered(touch.id, .nothing)))
    }

    mutating func endAll(_ outcome: ProbeResult.Outcome) {
        endAll { _ in outcome }
    }

    /// What a touch would be as a probe of the target at its address.
    private func probe(like touch: Touch) -> Probe? {
        let name = names[touch.host.address] ?? touch.host.address.description
        guard let target = reducer.configuration.targets.first(where: { host($0) == name }) else { return nil }
        return Probe(
            id: touch.id, target: target, interface: touch.isBound ? touch.host.way.interface : nil,
            family: touch.host.address.family, timeout: touch.timeout)
    }

    // MARK: Time

    /// Goes on for a while, with every probe ended as it is told and a little time passing each.
    mutating func live(_ duration: Duration, _ outcome: (Probe) -> ProbeResult.Outcome) {
        let end = MonotonicTime(nanoseconds: now).advanced(by: duration).nanoseconds
        isLive = true
        defer { isLive = false }
        while now < end {
            now += 1_000_000
            if open.isEmpty, touches.isEmpty { advanceToWake() } else { endAll(outcome) }
        }
    }

    /// Lets time pass, step by step; what was asked and is not answered goes on to be silent.
    mutating func advance(_ duration: Duration) {
        let end = MonotonicTime(nanoseconds: now).advanced(by: duration).nanoseconds
        while let wake, wake.nanoseconds < end {
            now = max(now, wake.nanoseconds)
            expireTouches()
            send(.timer)
        }
        now = end
        expireTouches()
        send(.timer)
    }

    private mutating func expireTouches() {
        for (touch, since) in touches
        where MonotonicTime(nanoseconds: since).advanced(by: touch.timeout).nanoseconds <= now {
            touches.removeAll { $0.touch.id == touch.id }
            silence(touch)
        }
    }

    /// Goes on to the next time the reducer asked for.
    mutating func advanceToWake() {
        guard let wake else { return }
        now = max(now, wake.nanoseconds)
        expireTouches()
        send(.timer)
    }

    // MARK: Places

    private func host(of probe: Probe) -> Host {
        let address = probe.addresses?.first ?? IPAddress.v4(IPv4Address(rawValue: 1))
        let family = reducer.path[address.family]
        let link = reducer.path.link(to: address)
        let isOnLink = link != nil
        let own = reducer.path.interfaces.first { $0.index == link }?.name
        let interface = isOnLink ? own ?? "lo" : probe.interface ?? family.interface ?? "lo"
        let gateway =
            probe.interface.map { name in
                reducer.path.interfaces.first { $0.name == name }?[address.family].gateway
            } ?? family.gateway
        return Host(
            address: address,
            way: Way(interface: interface, gateway: isOnLink ? nil : gateway, family: address.family))
    }

    private func host(_ target: Target) -> String {
        String(target.url.drop { $0 != ":" }.dropFirst(3).prefix { !"/:?".contains($0) })
    }

    private mutating func address(of name: String, _ family: AddressFamily) -> IPAddress {
        let target = reducer.configuration.targets.first { host($0) == name }
        if let known = target.flatMap({ address($0.name) }) {
            names[known] = name
            return known
        }
        if let known = addresses["\(name) \(family)"] { return known }
        let number = UInt32(addresses.count + 1)
        let made =
            family == .ipv4
            ? IPAddress.v4(IPv4Address(rawValue: 0xC633_0000 + number))
            : IPAddress("2001:db8::\(String(number, radix: 16))") ?? .v4(IPv4Address(rawValue: 1))
        addresses["\(name) \(family)"] = made
        names[made] = name
        return made
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
        family.gateway = IPAddress("192.0.2.254")
        var path = Path(
            status: ReachabilityStatus(medium), ipv4: family,
            ipv6: ipv6 ? family : FamilyPath(isUsable: false, reason: .noRoute))
        path.interfaces = ([interface] + spares).enumerated().map { index, name in
            var interface = Interface(
                index: UInt32(index + 2), name: name, medium: medium, operationalState: "up", isUp: true,
                hasCarrier: true)
            interface.ipv4 = InterfaceUsability(isUsable: true)
            interface.ipv4.gateway = family.gateway
            if ipv6 { interface.ipv6 = interface.ipv4 }
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

extension Path {
    /// The index of the link that an address is on; 0 where it is this host's own, or on any link. Nil where a gateway is
    /// needed to reach it.
    fileprivate func link(to address: IPAddress) -> UInt32? {
        if address.isLoopback || address.isLinkLocal { return 0 }
        return interfaces.first { interface in
            interface.isUp && interface.hasCarrier
                && interface.addresses.contains { own in
                    IPPrefix(own.address, length: Int(own.prefixLength))?.contains(address) ?? false
                }
        }?.index
    }
}
