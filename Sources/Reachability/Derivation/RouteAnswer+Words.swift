import Netlink
import NetworkAddress

extension RouteAnswer {
    /// The answer as `ip route get` prints it, so that a doubter can compare.
    func kernelWords(to destination: IPAddress, _ table: LinkTable) -> String {
        switch self {
        case .noRoute: "RTNETLINK answers: Network is unreachable"
        case .rejected(.blackhole): "RTNETLINK answers: Invalid argument"
        case .rejected(.prohibit): "RTNETLINK answers: Permission denied"
        case .rejected: "RTNETLINK answers: No route to host"
        // A route for packets of some sources is found only where one is asked with.
        case .route(let match, let chosen?):
            Self.words(of: chosen, to: destination, from: match.source == nil ? nil : chosen.preferredSource, table)
        case .route(let match, nil): Self.words(of: match, to: destination, from: nil, table)
        }
    }

    private static func words(
        of route: RouteMessage, to destination: IPAddress, from source: IPAddress?, _ table: LinkTable
    ) -> String {
        var words = destination.description
        if let source { words += " from " + source.description }
        if let gateway = route.gateway {
            let family = gateway.family == destination.family ? "" : gateway.family == .ipv4 ? "inet " : "inet6 "
            words += " via " + family + gateway.description
        }
        if let device = route.outputInterface { words += " dev " + table.name(of: device) }
        if let source = route.preferredSource { words += " src " + source.description }
        return words
    }
}
