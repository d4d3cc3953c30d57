import Netlink
import NetworkAddress

extension RouteAnswer {
    /// The answer as `ip route get` prints it, so that a doubter can compare.
    func kernelWords(_ query: RouteQuery, _ state: NetworkState) -> String {
        switch self {
        case .noRoute: "RTNETLINK answers: Network is unreachable"
        case .rejected(.blackhole): "RTNETLINK answers: Invalid argument"
        case .rejected(.prohibit): "RTNETLINK answers: Permission denied"
        case .rejected: "RTNETLINK answers: No route to host"
        case .route(let match, let chosen): (chosen ?? match).words(query, state)
        }
    }
}

extension RouteMessage {
    fileprivate func words(_ query: RouteQuery, _ state: NetworkState) -> String {
        var words = "\(query.destination)"
        if let gateway {
            let isOwnFamily = gateway.family == query.destination.family
            words += isOwnFamily ? " via \(gateway)" : " via \(gateway.family == .ipv4 ? "inet" : "inet6") \(gateway)"
        }
        if let outputInterface { words += " dev \(state.name(outputInterface))" }
        if let preferredSource { words += " src \(preferredSource)" }
        return words
    }
}
