internal import NetworkAddress
internal import Reachability

extension Event: CustomStringConvertible {
    /// The event in one line, as `netwatch` writes it behind the time where it writes for people:
    /// `none → ethernet via eth0, connectivity unknown → full  IPv4 via 192.0.2.1 dev eth0  the default route on eth0 was set`.
    ///
    /// Names come from the kernel and from a configuration and may hold any character, escape sequences too.
    public var description: String {
        let spare = spare.map { "\($0) works" }
        let missed = skipped == 1 ? "an event before this one was" : "\(skipped) events before this one were"
        let gap = skipped > 0 ? "(\(missed) not read in time)" : nil
        return [verdictWords, gatewayWords, cause.description, spare, gap].compactMap { $0 }.joined(separator: "  ")
    }

    /// `none → ethernet via eth0, connectivity full`, or `ethernet via eth0, not probed`.
    private var verdictWords: String {
        let now = "\(wayWords), \(reason == .probesDisabled ? "not probed" : connectivityWords)"
        guard let from, from.reachability != reachability else { return now }
        return "\(from.reachability.rawValue) → \(now)"
    }

    /// `ethernet via eth0`, `ethernet via eth0 (split)` of one that works in part, or `none (no-carrier)`.
    package var wayWords: String {
        let via = reachability.isReachable ? " via \(to.interfaces.joined(separator: ", "))" : ""
        return reachability.rawValue + via + (path.reason.map { " (\($0.rawValue))" } ?? "")
    }

    private var connectivityWords: String {
        guard let from, from.connectivity != connectivity else { return "connectivity \(connectivity.rawValue)" }
        return "connectivity \(from.connectivity.rawValue) → \(connectivity.rawValue)"
    }

    /// The next routers, as `ip` writes them: `IPv4 via 192.0.2.1 dev eth0`; nil where there is none.
    package var gatewayWords: String? {
        let words = AddressFamily.allCases.compactMap { family -> String? in
            let way = path[family]
            guard way.isUsable, let gateway = way.gateway, let interface = way.interface else { return nil }
            let other = gateway.family == family ? "" : gateway.family == .ipv4 ? "inet " : "inet6 "
            return "\(family.words) via \(other)\(gateway) dev \(interface)"
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
