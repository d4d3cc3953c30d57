internal import Netlink
internal import NetworkAddress
internal import Reachability

/// The steps through the network: route, next hop.
extension ExplanationFacts {
    var routeStep: Explanation.Step? {
        guard let destination, let route else { return nil }
        let command = "ip route get \(destination)" + (interface.map { " oif \($0)" } ?? "") + (flow?.words ?? "")
        switch route {
        case .noRoute:
            return .broken(
                .route, "no route to \(destination)" + (interface.map { " over \($0)" } ?? ""), .noRoute,
                advice: "add one: ip route add \(destination) via GATEWAY", command: command)
        case .rejected(let type):
            return .broken(
                .route, "a route of the type \(type) rejects \(destination)", .noRoute,
                advice: "find it with ip rule and ip route show table all, and remove it if it is not meant",
                command: command)
        case .route(let match, _) where match.type == .local:
            return Explanation.Step(.route, "\(destination) is this host's own address")
        case .route(let match, _):
            let gateway = nextHop.map { " via \($0)" } ?? " on the link itself"
            return Explanation.Step(
                .route, "\(match.destination) in table \(match.table)\(gateway) dev \(link?.name ?? "?")")
        }
    }

    var neighbourStep: Explanation.Step? {
        guard let nextHop, let link, let neighbour else { return nil }
        let isSilent = !neighbour.state.isDisjoint(with: [.incomplete, .failed])
        guard isSilent else {
            let hardware = neighbour.hardwareAddress.map { " at \($0)" } ?? ""
            return Explanation.Step(.neighbour, "\(nextHop) answers\(hardware)")
        }
        let protocolName = nextHop.family == .ipv4 ? "ARP" : "neighbour discovery"
        return .broken(
            .neighbour, "\(nextHop) does not answer to \(protocolName) on \(link.name)", .gatewayUnreachable,
            advice: "is the gateway on, and in this network?", command: "ip neigh show \(nextHop) dev \(link.name)")
    }
}
