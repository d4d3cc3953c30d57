import EventLoop
import NetworkAddress
import Synchronization

@testable import Connectivity

/// A simulation in which the reducer is told of connections when it wants to be, as a monitor tells it.
struct TrafficSimulation {
    var simulation: Simulation
    private let host = Host()

    enum Connections {
        case none
        /// Something was heard just now, whenever one looks.
        case flowing
        case heard(ago: Duration)
        case heardOnce(at: MonotonicTime)
        /// Nothing is heard since then.
        case stalled(since: MonotonicTime)
    }

    /// The host whose connections they are.
    private final class Host {
        var connections = Connections.none
        var interface = "eth0"
        var looksNever = false
        var looks = 0

        func evidence(at now: MonotonicTime) -> [TrafficEvidence] {
            var evidence = TrafficEvidence(interface: interface, family: .ipv4)
            switch connections {
            case .none: return []
            case .flowing: evidence.heard = now
            case .heard(let age): evidence.heard = now.advanced(by: .zero - age)
            case .heardOnce(let time): evidence.heard = min(time, now)
            case .stalled(let since):
                evidence.heard = since
                evidence.waitingSince = since
                evidence.waiting = 1
            }
            return [evidence]
        }
    }

    init(_ configuration: ConnectivityConfiguration) {
        simulation = Simulation(configuration)
        simulation.holdsTouches = true
        simulation.connections = { [host] reducer, input, now in
            let now = MonotonicTime(nanoseconds: now)
            guard reducer.wantsTraffic(before: input, at: now), !host.looksNever else { return nil }
            host.looks += 1
            return host.evidence(at: now)
        }
    }

    var connections: Connections {
        get { host.connections }
        nonmutating set { host.connections = newValue }
    }

    /// The uplink that they leave by.
    var interface: String {
        get { host.interface }
        nonmutating set { host.interface = newValue }
    }

    /// Whether the reducer is never told anything.
    var looksNever: Bool {
        get { host.looksNever }
        nonmutating set { host.looksNever = newValue }
    }

    var looks: Int { host.looks }
    var putOff: Int { simulation.putOff }
    var started: [(time: UInt64, probe: Probe)] { simulation.started }
    var status: ConnectivityStatus? { simulation.status }

    mutating func send(_ input: ConnectivityReducer.Input) { simulation.send(input) }

    mutating func endAll(_ outcome: (Probe) -> ProbeResult.Outcome) { simulation.endAll(outcome) }

    mutating func endAll(_ outcome: ProbeResult.Outcome) { simulation.endAll(outcome) }

    mutating func live(_ duration: Duration, _ outcome: (Probe) -> ProbeResult.Outcome) {
        simulation.live(duration, outcome)
    }

    mutating func advanceToWake() { simulation.advanceToWake() }
}
