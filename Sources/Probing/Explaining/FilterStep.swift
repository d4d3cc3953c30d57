internal import Connectivity
internal import NetworkAddress
internal import SystemPackage

/// The step of this host's own filter.
struct FilterStep {
    let facts: ExplanationFacts
    private var result: ProbeResult? { facts.farEnd.result }

    /// Nil where the kernel lets packets out, as far as that can be seen.
    var step: Explanation.Step? {
        guard let destination = facts.way.destination else { return nil }
        let address = (result?.remoteAddress ?? destination).description
        let place = filteredPort.map { "\(address) port \($0)" } ?? address
        if let refusal = facts.host.refusal {
            return filter(
                "this host's own firewall \(filterVerb) what is sent to \(place)", .unreachable,
                "the kernel says at once that it may not be sent (\(refusal))")
        }
        if facts.host.refusesConnection {
            return filter(
                "this host's own firewall rejects connections to \(place)", result?.reason ?? .unreachable,
                "each refusal came over the loopback, none from the network")
        }
        switch facts.host.drops {
        case .segments(let count)?:
            return filter(
                "this host's own firewall drops what is sent to \(place)", result?.reason ?? .unreachable,
                "this kernel could not send \(count) segments again (TCPRetransFail of nstat)")
        case .answers(let count)?:
            return filter(
                "this host's own firewall drops what \(facts.way.isLocal ? "is sent to" : "comes back from") \(place)",
                result?.reason ?? .nameServerFailed,
                "\(count) packets came, and no protocol was given them (InReceives less InDelivers of nstat)")
        case nil: return nil
        }
    }

    /// The name server's port where the name is not known; nil for an echo request.
    private var filteredPort: UInt16? {
        let parts = facts.subject.parts
        guard case .success? = facts.names.addresses else { return 53 }
        return switch parts.scheme {
        case "icmp": nil
        case "dns": UInt16(clamping: parts.port ?? 53)
        default: facts.subject.connectPort
        }
    }

    /// A connection that is dropped waits, and one that is rejected ends at once.
    private var filterVerb: String {
        switch result?.reason {
        case .connectTimeout?: "drops"
        case .connectionRefused?, .unreachable?: "rejects"
        default: "does not let out"
        }
    }

    private func filter(_ finding: String, _ reason: ConnectivityReason, _ evidence: String) -> Explanation.Step {
        .broken(
            .firewall, finding, reason, evidence: evidence,
            advice: """
                find the rule and remove it if it is not meant, as root: nft list ruleset, iptables-save, ip xfrm policy; \
                a VPN's kill switch is one
                """,
            command: "nft list ruleset")
    }
}
