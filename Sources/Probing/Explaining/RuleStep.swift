internal import Connectivity
internal import Netlink
internal import NetworkAddress
internal import Reachability

/// The step between the address and the route: which rule leads to which table.
struct RuleStep {
    let subject: Subject
    let way: WayFacts

    init(_ subject: Subject, _ way: WayFacts) {
        self.subject = subject
        self.way = way
    }

    var step: Explanation.Step? {
        guard let destination = way.destination, let route = way.route, !way.rules.isEmpty else { return nil }
        switch route {
        // A rule of this type is answered as if there were no route (`fib4_rule_action`).
        case .noRoute: return rejection(of: destination)
        case .rejected(let type): return rejection(of: destination, as: type)
        // The rule before all others leads there.
        case .route(let match, _) where match.type == .local: return nil
        case .route(let match, _):
            guard let rule = way.rules.first(where: { matches($0) && $0.leads(to: match) }) else { return nil }
            return Explanation.Step(
                .rule, "rule \(rule.priority)\(words(of: rule)) leads to table \(tableName(match.table))")
        }
    }

    /// Asked with an interface, IPv4 does not tell which kind of rule it was.
    private func rejection(of destination: IPAddress) -> Explanation.Step? {
        let types: [RouteType] = subject.interface == nil ? [.unreachable] : [.prohibit, .unreachable, .blackhole]
        return types.lazy.compactMap { rejection(of: destination, as: $0) }.first
    }

    private func rejection(of destination: IPAddress, as type: RouteType) -> Explanation.Step? {
        let command = "ip \(destination.family == .ipv4 ? "-4" : "-6") rule"
        if let rule = way.rules.first(where: { matches($0) && $0.rejects(as: type) }) {
            return rejection(of: destination, as: type, by: rule, command)
        }
        guard let table = way.rejectingTable, let rule = way.rules.first(where: { matches($0) && $0.table == table })
        else {
            return nil
        }
        return .broken(
            .rule,
            "the rule \(rule.priority)\(words(of: rule)) leads to table \(tableName(table)), which rejects it as \(type)",
            .noRoute,
            advice: "mend the table, or remove the rule if it is not meant: \(deletion(of: rule))",
            command: command)
    }

    /// A rule for users is told as that: another user's packets go out.
    private func rejection(
        of destination: IPAddress, as type: RouteType, by rule: RuleMessage, _ command: String
    ) -> Explanation.Step {
        let name = "the rule \(rule.priority)\(words(of: rule))"
        let removal = "remove it if it is not meant: \(deletion(of: rule))"
        guard rule.userIDs != nil else {
            return .broken(
                .rule, "\(name) rejects \(destination) as \(type)", .noRoute, advice: removal, command: command)
        }
        let packets = rule.destination == nil ? "all that this user sends" : "what this user sends to \(destination)"
        return .broken(
            .rule, "\(name) rejects \(packets) as \(type)", .noRoute,
            evidence: "this program runs as uid \(way.userID), which the rule is for",
            advice: "\(removal), or run it as another user", command: command)
    }

    /// Without an option ip(8) takes away the rule of IPv4 that has the same number.
    private func deletion(of rule: RuleMessage) -> String {
        let command = "ip \(rule.family == .ipv4 ? "" : "-6 ")rule del"
        // By its number alone the first of those that share it would go.
        guard way.rules.count(where: { $0.priority == rule.priority }) == 1 else {
            return "\(command) with all its selectors, as others have the priority \(rule.priority), too"
        }
        return "\(command) priority \(rule.priority)"
    }

    /// Whether packets of this host to the destination are the rule's.
    private func matches(_ rule: RuleMessage) -> Bool {
        guard let destination = way.destination, rule.family == destination.family else { return false }
        let sender = destination.family == .ipv4 ? way.sender : way.source?.address
        let isMeant =
            rule.destination?.contains(destination) ?? true
            // What this host sends itself comes in by its loopback.
            && (rule.inputInterface ?? "lo") == "lo" && rule.typeOfService == nil
            && rule.userIDs?.contains(way.userID) ?? true && rule.means(way.flow)
            && (rule.outputInterface == nil || rule.outputInterface == subject.interface)
            && (rule.mark ?? 0) == 0
            && (rule.source.map { prefix in sender.map { prefix.contains($0) } ?? false } ?? true)
        return isMeant != rule.isInverted
    }

    private func words(of rule: RuleMessage) -> String {
        let parts = [
            rule.source.map { "from \($0.words)" }, rule.destination.map { "to \($0.words)" },
            rule.outputInterface.map { "oif \($0)" }, rule.userIDs.map { "uidrange \($0.lowerBound)-\($0.upperBound)" },
            rule.destinationPorts.map { "dport \($0.portWords)" },
        ].compactMap { $0 }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: " ")))"
    }
}

extension RuleMessage {
    /// Whether it has the kernel look where a route was found.
    fileprivate func leads(to route: RouteMessage) -> Bool {
        guard leadsToTable, table == route.table else { return false }
        return suppressedLength.map { route.destination.length > $0 } ?? true
    }

    /// FR_ACT_BLACKHOLE 6, FR_ACT_UNREACHABLE 7, FR_ACT_PROHIBIT 8 (`linux/fib_rules.h`).
    fileprivate func rejects(as type: RouteType) -> Bool {
        switch type {
        case .blackhole: action == 6
        case .unreachable: action == 7
        case .prohibit: action == 8
        default: false
        }
    }
}
