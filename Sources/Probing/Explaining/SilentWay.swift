internal import Connectivity
internal import Evidence
internal import Netlink
internal import NetworkAddress
internal import Reachability
internal import Resolver

/// What is at fault, as far as what else was asked tells, in words.
struct ExplainedFault {
    let finding: String
    let evidence: String
    /// Nil where that cannot be told.
    let blame: TargetHealth.Blame?
    let advice: String
    var command: String? = nil
}

struct SilentWay {
    let facts: ExplanationFacts

    /// Nil where it may be the fault of the host itself that was asked.
    var fault: ExplainedFault? {
        guard let elsewhere = facts.elsewhere else { return nil }
        if let translator = deadTranslator(elsewhere) { return translator }
        guard elsewhere.living(.reference) == nil else { return nil }
        // What comes back from the gateway within it has come through it.
        let tunnel = facts.way.link.flatMap { $0.isTunnel ? $0 : nil }
        if let tunnel, elsewhere.living(.gateway) == nil { return fault(of: tunnel, elsewhere) }
        let asked = elsewhere.asked(.reference)
        guard !asked.isEmpty else { return otherWay(elsewhere) }
        // The network may let nothing through to those that were asked.
        if livingRouter != nil { return nil }
        let names = (silentServerWords + asked.map(\.host.description)).listed("nor")
        guard let gateway = elsewhere.asked(.gateway).first else {
            return ExplainedFault(
                finding: "nothing that was asked on this way answers", evidence: "no answer from \(names)",
                blame: .uplink, advice: Self.deadLine + detour)
        }
        return ExplainedFault(
            finding: gateway.answers
                ? "nothing answers from beyond the gateway \(gateway.host), which answers itself"
                : "nothing answers from the gateway \(gateway.host) or beyond it",
            evidence: "no answer from \(names)", blame: tunnel == nil ? .uplink : .path,
            advice: Self.deadLine + detour)
    }

    /// The router of the link that the subject itself is on, where it answers: then the link is well, and whatever is
    /// beyond the router is not on the way.
    var livingRouter: Elsewhere.Check? {
        let reason = facts.farEnd.result?.reason
        guard reason == .connectTimeout || reason == .unreachable, facts.way.gateway == nil, facts.way.nextHop != nil,
            facts.way.link?.isTunnel == false
        else { return nil }
        return facts.elsewhere?.living(.gateway)
    }

    /// Others answer, and no host does whose address of IPv4 is translated as that of the subject.
    private func deadTranslator(_ elsewhere: Elsewhere) -> ExplainedFault? {
        guard let translator = facts.way.destination.flatMap(Translator.init(before:)) else { return nil }
        let behind = elsewhere.asked(.reference).filter { Translator(before: $0.host) == translator }
        let living = elsewhere.checks.first {
            $0.kind == .reference && $0.answers && Translator(before: $0.host) == nil
        }
        guard let living, !behind.isEmpty, !behind.contains(where: \.answers) else { return nil }
        return ExplainedFault(
            finding: "nothing comes back from behind \(translator.prefix)/96, where IPv4 is translated (NAT64)",
            evidence: "no answer from \(behind.map(\.host.description).listed("nor")), and \(living.host) answers",
            blame: .path,
            advice: "the translator of this network is dead: ask those who run the network.\(detour)",
            command: "ip -6 route get \(translator.prefix)")
    }

    /// The host itself answers by another interface, which was asked by the same port.
    private func otherWay(_ elsewhere: Elsewhere) -> ExplainedFault? {
        guard let link = facts.way.link, let address = facts.farEnd.result?.remoteAddress,
            let other = elsewhere.checks.first(where: { $0.kind == .uplink && $0.answers && $0.host == address }),
            let name = other.interface
        else { return nil }
        return ExplainedFault(
            finding: "nothing comes back from \(address) by \(link.name), and it answers by \(name)",
            evidence: "\(address) answers by \(name)", blame: .uplink, advice: Self.deadLine + detour)
    }

    /// The name servers that did not answer, as what is at fault is not theirs.
    private var silentServerWords: [String] {
        facts.names.serverAnswers.filter(\.isMissing).map { "the name server \($0.server.address)" }
    }

    private static let deadLine =
        "nothing comes back from beyond the gateway: see whether its line is up (router, modem), or ask the provider."

    private func fault(of tunnel: Interface, _ elsewhere: Elsewhere) -> ExplainedFault {
        let below = elsewhere.asked(.linkBelow)
        let living = elsewhere.living(.linkBelow) ?? elsewhere.living(.uplink)
        let command = tunnel.kind == "wireguard" ? "wg show \(tunnel.name)" : "ip -s -d link show \(tunnel.name)"
        let finding = "nothing comes back through the tunnel \(tunnel.name)"
        if let living, let interface = living.interface {
            guard !elsewhere.asked(.reference).isEmpty || !silentServerWords.isEmpty else {
                return silentBehind(tunnel, living, interface, command)
            }
            return ExplainedFault(
                finding: "\(finding), though \(interface) works without it",
                evidence: "\(living.host) answers by \(interface) alone", blame: .path,
                advice:
                    "its far end is silent: restart the VPN, or ask its operator; to go without it: ip link set \(tunnel.name) down",
                command: command)
        }
        guard let interface = below.first?.interface else {
            return ExplainedFault(
                finding: finding, evidence: "what it runs over could not be asked alone", blame: .path,
                advice: "see whether its far end can be reached, and restart the VPN", command: command)
        }
        return ExplainedFault(
            finding: "\(finding), nor by \(interface) below it",
            evidence: "no answer by \(interface) from \(below.map(\.host.description).listed("nor"))", blame: .uplink,
            advice: "mend \(interface) first: netwatch explain --interface \(interface)", command: command)
    }

    /// No other host was asked through the tunnel: this one alone may be down.
    private func silentBehind(
        _ tunnel: Interface, _ living: Elsewhere.Check, _ interface: String, _ command: String
    ) -> ExplainedFault {
        ExplainedFault(
            finding: "nothing comes back through the tunnel \(tunnel.name), and nothing else behind it could be asked",
            evidence: "\(living.host) answers by \(interface) alone", blame: nil,
            advice: "the host is down, or the tunnel's far end is silent: ask another host behind it",
            command: command)
    }

    /// Another way that works, as one more sentence of an advice.
    var detour: String {
        guard let other = facts.elsewhere?.living(.uplink), let name = other.interface else { return "" }
        guard let destination = movedDestination else { return " Until then \(name) works" }
        let family = other.host.family
        let option = family == .ipv4 ? "" : "-6 "
        let gateway =
            facts.subject.path.interface(named: name)?[family].gateway.map { " via \($0)" } ?? ""
        // Without a metric a route of IPv6 gets 1024, and would come after the one that leads nowhere.
        let metric = family == .ipv4 ? "" : " metric 1"
        return " Until then \(name) works: ip \(option)route replace \(destination)\(gateway) dev \(name)\(metric)"
    }

    /// What another interface has to be given: what the route is for that is taken now, or all where that is the link's
    /// own network. Nil where the route is not in the table `main`: one that is added there changes nothing.
    private var movedDestination: String? {
        guard let route = facts.way.route else { return "default" }
        guard case .route(let match, _) = route, tableName(match.table) == "main" else { return nil }
        let isOfLink =
            facts.way.gateway == nil
            && facts.way.link?.addresses.contains { match.destination.contains($0.address) } == true
        return isOfLink ? "default" : match.destination.words
    }
}
