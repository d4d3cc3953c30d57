internal import Netlink
internal import NetworkAddress
internal import Reachability

/// What was found out about the way to one subject, as far as it was asked: the input of ``Explanation``.
struct ExplanationFacts: Sendable {
    var path: Path
    /// The interface that was asked for; nil for the one the kernel chooses.
    var interface: String?
    var host: String
    /// The addresses of the host, or why there are none.
    var addresses: Result<[IPAddress], ProbeFailure>?
    var nameServers: [String] = []
    /// Where packets go first: the host, or the name server that has to be asked for it.
    var destination: IPAddress?
    /// The kernel's answer for that.
    var route: RouteAnswer?
    /// The link it leaves by.
    var link: Interface?
    /// What the neighbour table says of the next hop after the probe.
    var neighbour: NeighbourMessage?
    var nextHop: IPAddress?
    var result: ProbeResult?
}

extension Explanation {
    /// Goes through the facts in the order packets go, and stops at the first broken step.
    init(of subject: String, _ facts: ExplanationFacts) {
        self.init(subject: subject)
        let chain: [(ExplanationFacts) -> Step?] = [
            \.interfaceStep, \.addressStep, \.routeStep, \.neighbourStep, \.namesStep, \.connectionStep, \.tlsStep,
            \.httpStep,
        ]
        for look in chain {
            guard let step = look(facts) else { continue }
            steps.append(step)
            if !step.isWell { return }
        }
    }
}
