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
        case .route(_, let chosen?): chosen.words(destination, table)
        case .route(let match, nil): match.words(destination, table)
        }
    }
}

extension RouteMessage {
    fileprivate func words(_ destination: IPAddress, _ table: LinkTable) -> String {
        var words = destination.description
        if let gateway {
            let family = gateway.family == destination.family ? "" : gateway.family == .ipv4 ? "inet " : "inet6 "
            words += " via " + family + gateway.description
        }
        if let outputInterface { words += " dev " + table.name(of: outputInterface) }
        if let preferredSource { words += " src " + preferredSource.description }
        return words
    }
}
