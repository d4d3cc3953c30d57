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
        let device = outputInterface.map(table.name)
        return String(words: 3 * IPAddress.longestText + 32 + (device?.utf8.count ?? 0)) { words in
            words.put(destination)
            if let gateway { put(gateway, besides: destination, in: &words) }
            if let device { words.put(" dev ", device) }
            if let preferredSource {
                words.put(" src ")
                words.put(preferredSource)
            }
        }
    }

    private func put(_ gateway: IPAddress, besides destination: IPAddress, in words: inout TextBuilder) {
        words.put(" via ")
        if gateway.family != destination.family { words.put(gateway.family == .ipv4 ? "inet " : "inet6 ") }
        words.put(gateway)
    }
}
