internal import EventLoop
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
    /// The rules of the destination's family, in their order.
    var rules: [RuleMessage] = []
    /// The address that its packets carry, as the kernel has it.
    var source: AddressMessage?
    /// When all this was asked.
    var time = MonotonicTime.now
    /// What the neighbour table says of the next hop after the probe.
    var neighbour: NeighbourMessage?
    var nextHop: IPAddress?
    var result: ProbeResult?
    /// The same probe by the other family, where the first was well and the host has addresses of both.
    var otherFamily: ProbeResult?
}

extension Explanation {
    /// Goes through the facts in the order packets go, and stops at the first broken step.
    init(of subject: String, _ facts: ExplanationFacts) {
        self.init(subject: subject)
        let chain: [(ExplanationFacts) -> Step?] = [
            \.interfaceStep, \.addressStep, \.leaseStep, \.ruleStep, \.routeStep, \.neighbourStep, \.namesStep,
            \.connectionStep, \.tlsStep, \.httpStep, \.familyStep,
        ]
        for look in chain {
            guard let step = look(facts) else { continue }
            steps.append(step)
            if !step.isWell { return }
        }
    }
}
