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
            let words = match.words(gateway: gateway, device: link?.name ?? device ?? "?")
            return Explanation.Step(.route, "\(words), in table \(tableName(match.table))")
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
            .neighbour, "\(nextHop) does not answer to \(protocolName) on \(link.name)",
            gateway == nil ? .unreachable : .gatewayUnreachable, advice: neighbourAdvice,
            command: "ip neigh show \(nextHop) dev \(link.name)")
    }

    private var neighbourAdvice: String {
        if gateway != nil { return "is the gateway on, and in this network?" }
        guard case .route(let match, _)? = route, match.destination.length == 0 else {
            return "is it on, and in this network?"
        }
        return "the default route has no gateway, so that every host is looked for on the link: ip route show default"
    }
}
