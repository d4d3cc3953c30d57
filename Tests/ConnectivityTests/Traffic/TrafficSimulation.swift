import EventLoop
import NetworkAddress

@testable import Connectivity

/// A simulation in which the reducer is told of connections when it wants to be, as a monitor tells it.
struct TrafficSimulation {
    var simulation: Simulation
    var connections = Connections.none
    /// The uplink that they leave by.
    var interface = "eth0"
    /// Whether the reducer is never told anything.
    var looksNever = false
    private(set) var looks = 0
    private(set) var putOff = 0

    enum Connections {
        case none
        /// Something was heard just now, whenever one looks.
        case flowing
        case heard(ago: Duration)
        case heardOnce(at: MonotonicTime)
        /// Nothing is heard since then.
        case stalled(since: MonotonicTime)
    }

    init(_ configuration: ConnectivityConfiguration) {
        simulation = Simulation(configuration)
    }

    var started: [(time: UInt64, probe: Probe)] { simulation.started }
    var status: ConnectivityStatus? { simulation.status }

    private var evidence: [TrafficEvidence] {
        let now = MonotonicTime(nanoseconds: simulation.now)
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

    mutating func send(_ input: ConnectivityReducer.Input) {
        if simulation.reducer.wantsTraffic(before: input, at: MonotonicTime(nanoseconds: simulation.now)), !looksNever {
            looks += 1
            simulation.send(.traffic(evidence))
            putOff += simulation.lastPutOff
        }
        simulation.send(input)
        putOff += simulation.lastPutOff
    }

    mutating func endAll(_ outcome: (Probe) -> ProbeResult.Outcome) {
        for probe in simulation.open where simulation.open.contains(where: { $0.id == probe.id }) {
            simulation.open.removeAll { $0.id == probe.id }
            let result = ProbeResult.test(probe.target.name, outcome(probe), at: simulation.now)
            send(.ended(probe.id, result))
        }
    }

    mutating func endAll(_ outcome: ProbeResult.Outcome) {
        endAll { _ in outcome }
    }

    /// Goes on for a while, with every probe ended as it is told and a little time passing each.
    mutating func live(_ duration: Duration, _ outcome: (Probe) -> ProbeResult.Outcome) {
        let end = MonotonicTime(nanoseconds: simulation.now).advanced(by: duration)
        while simulation.now < end.nanoseconds {
            simulation.now += 1_000_000
            if !simulation.open.isEmpty {
                endAll(outcome)
            } else if let wake = simulation.wake, wake < end {
                advanceToWake()
            } else {
                simulation.now = end.nanoseconds
            }
        }
    }

    mutating func advanceToWake() {
        guard let wake = simulation.wake else { return }
        simulation.now = max(simulation.now, wake.nanoseconds)
        send(.timer)
    }
}
