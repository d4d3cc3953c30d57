internal import NetworkAddress

/// The step of the name.
extension ExplanationFacts {
    var namesStep: Explanation.Step? {
        switch addresses {
        case nil: return nil
        case .success(let found)?:
            guard IPAddress(host) == nil else { return nil }
            let places = found.map(\.description).joined(separator: ", ")
            if let dissent, dissent.isFault(found, works: result?.outcome == .success) {
                return .broken(
                    .names, "the name servers disagree: \(host) is \(places)\(servers), and \(dissent.words)",
                    .nameHijacked, advice: "use those only that know the name: see /etc/resolv.conf, resolvectl status",
                    command: "dig @\(dissent.server) \(host)")
            }
            return Explanation.Step(.names, "\(host) is \(places)\(servers)")
        case .failure(let failure)?:
            return .broken(
                .names, "\(failure.description)\(servers)", failure.reason, advice: Self.advice(failure.reason),
                command: nameServers.first.map { "dig @\($0) \(host)" } ?? "resolvectl query \(host)")
        }
    }

    private var servers: String {
        if let ownSource { return " (\(ownSource))" }
        return nameServers.isEmpty ? "" : " (asked \(nameServers.joined(separator: ", ")))"
    }

    private static func advice(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .nameNotFound?: "check the spelling of the name"
        case .nameHijacked?:
            "a portal may be behind it: open a page in a browser and log in, or ask another name server"
        default: "check the name servers in /etc/resolv.conf"
        }
    }
}
