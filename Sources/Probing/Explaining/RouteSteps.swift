internal import Connectivity
internal import Netlink
internal import NetworkAddress
internal import Reachability

/// The steps through the network: route, next hop.
struct RouteSteps {
    let facts: ExplanationFacts
    private var way: WayFacts { facts.way }
    private var result: ProbeResult? { facts.farEnd.result }

    var route: Explanation.Step? {
        guard let destination = way.destination, let route = way.route else { return nil }
        let command =
            "ip route get \(destination)" + (facts.subject.interface.map { " oif \($0)" } ?? "")
            + (way.flow?.words ?? "")
        switch route {
        case .noRoute:
            return .broken(
                .route, "no route to \(destination)" + (facts.subject.interface.map { " over \($0)" } ?? ""), .noRoute,
                advice: "add one: ip route add \(destination) via GATEWAY", command: command)
        case .rejected(let type):
            return .broken(
                .route, "a route of the type \(type) rejects \(destination)", .noRoute,
                advice: "find it with ip rule and ip route show table all, and remove it if it is not meant",
                command: command)
        case .route(let match, _) where match.type == .local:
            return Explanation.Step(.route, "\(destination) is this host's own address")
        case .route(let match, _):
            let words = match.words(gateway: way.gateway, device: way.link?.name ?? way.device ?? "?")
            return Explanation.Step(.route, "\(words), in table \(tableName(match.table))")
        }
    }

    var neighbour: Explanation.Step? {
        guard let nextHop = way.nextHop, let link = way.link, let neighbour = way.neighbour else { return nil }
        // The kernel asks nothing on such a link, or for such an entry.
        guard neighbour.state.isDisjoint(with: [.noARP, .permanent]) else { return nil }
        let isSilent = !neighbour.state.isDisjoint(with: [.incomplete, .failed])
        guard isSilent else {
            let hardware = neighbour.hardwareAddress.map { " at \($0)" } ?? ""
            return Explanation.Step(.neighbour, "\(nextHop) \(neighbourWords(neighbour, hardware))")
        }
        let protocolName = nextHop.family == .ipv4 ? "ARP" : "neighbour discovery"
        let finding = "\(nextHop) does not answer to \(protocolName) on \(link.name)"
        let command = "ip neigh show \(nextHop) dev \(link.name)"
        guard way.gateway == nil else {
            return .broken(
                .neighbour, "the gateway \(finding)", .gatewayUnreachable,
                advice: "is the gateway on, and in this network?\(SilentWay(facts: facts).detour)", command: command)
        }
        if let wide = wideMask(nextHop, link) {
            return .broken(
                .neighbour, "\(finding), where the netmask of \(wide.words) puts it", .unreachable, blame: .host,
                evidence: "it is looked for on the link, and not beyond the gateway \(wide.gateway)",
                advice: """
                    if it is beyond the gateway, the netmask is too wide: give \(link.name) the right one (mostly \
                    /\(wide.usual)) in place of \(wide.words); if not, is it on?
                    """, command: "ip address show \(link.name)")
        }
        return .broken(
            .neighbour, finding, .unreachable, blame: .target, advice: neighbourAdvice, command: command)
    }

    /// It answers where it did so since it was asked, or where anything has come by it.
    private func neighbourWords(_ neighbour: NeighbourMessage, _ hardware: String) -> String {
        let isProven =
            result?.outcome == .success || result?.statusCode != nil
            || neighbour.wasConfirmed(since: way.time, now: way.neighbourTime)
        guard !isProven, let age = neighbour.confirmed else { return "answers\(hardware)" }
        return "is known\(hardware), and last answered \(age / 100) s ago"
    }

    /// The address whose mask takes a host for one of the link's that would not be with a usual mask; nil where the mask is a
    /// usual one, or there is no gateway beyond which the host could be.
    private func wideMask(_ host: IPAddress, _ link: Interface) -> (words: String, gateway: IPAddress, usual: Int)? {
        let usual = host.family == .ipv4 ? 24 : 64
        guard case .route(let match, _)? = way.route, match.destination.length > 0, match.destination.length < usual,
            let gateway = link[host.family].gateway,
            let own = link.addresses.first(where: {
                $0.address.family == host.family && Int($0.prefixLength) == match.destination.length
                    && match.destination.contains($0.address)
            }), IPPrefix(own.address, length: usual).map({ !$0.contains(host) }) ?? false
        else { return nil }
        return ("\(own.address)/\(own.prefixLength)", gateway, usual)
    }

    private var neighbourAdvice: String {
        guard case .route(let match, _)? = way.route, match.destination.length == 0 else {
            return "is it on, and in this network?"
        }
        return "the default route has no gateway, so that every host is looked for on the link: ip route show default"
    }
}
