internal import Connectivity
internal import EventLoop
internal import Netlink
internal import NetworkAddress
internal import Reachability

/// The steps on this host: interface, address, and who lends it.
struct LinkSteps {
    let facts: ExplanationFacts
    private var subject: Subject { facts.subject }
    private var way: WayFacts { facts.way }

    var interface: Explanation.Step? {
        if let interface = subject.interface, way.link == nil {
            return .broken(
                .interface, "there is no interface \(interface) that traffic could leave by", .interfaceUnusable,
                advice: "check the name", command: "ip link")
        }
        if way.isLoopbackDown {
            return .broken(
                .interface, "this host's loopback, lo, is administratively down", .interfaceUnusable, blame: .host,
                evidence:
                    "\(way.destination?.description ?? subject.host) is this host's own address, and reached by lo alone",
                advice: "ip link set lo up", command: "ip link show lo")
        }
        guard let link = way.link else { return withoutInterface }
        guard link.isUp else {
            return .broken(
                .interface, "\(link.name) is administratively down", .interfaceUnusable,
                advice: LinkAdvice.waysUp(link), command: "ip link show \(link.name)")
        }
        guard link.operationalState != "dormant" else {
            return .broken(
                .interface, "\(link.name) waits for authentication", .interfaceUnusable, advice: LinkAdvice.admission,
                command: "ip link show \(link.name)")
        }
        guard link.hasCarrier else {
            return .broken(
                .interface, "\(link.name) has no carrier", .interfaceUnusable,
                advice: "check the cable, the access point or the peer", command: "ip link show \(link.name)")
        }
        if let port = deadPort(of: link) {
            return .broken(
                .interface, "\(port), by which \(link.name) leads out, has no carrier", .interfaceUnusable,
                advice: "check the cable, the access point or the peer", command: "ip link show \(port)")
        }
        return Explanation.Step(
            .interface, "\(link.via.joined(separator: " → ")) (\(link.medium)) is up and has a carrier")
    }

    /// The port of a bridge that has no carrier, where the way out is by that: others keep the bridge's own.
    private func deadPort(of link: Interface) -> String? {
        guard let gateway = way.gateway, link[gateway.family].reason == .noCarrier,
            facts.farEnd.result?.outcome != .success, link.via.count > 1
        else { return nil }
        return link.via.last
    }

    /// The kernel chooses none: the reason of each interface that could be one.
    private var withoutInterface: Explanation.Step? {
        // The loopback and links that lead nowhere else are not among the path's interfaces.
        guard !subject.path.status.isReachable, !leadsSomewhere, RuleStep(subject, way).step?.isWell != false else {
            return nil
        }
        let families = IPAddress(subject.host).map { [$0.family] } ?? AddressFamily.allCases
        if let dead = way.deadPreference { return preference(of: dead.interface, dead.family, families) }
        let missing = subject.path.interfaces.map { interface -> (Interface, MissingPart?) in
            let parts = families.map { interface[$0].missingPart }
            // What the link lacks no family has.
            return (interface, parts.contains(.link) ? .link : parts.max())
        }
        // The one that has come furthest is the one to mend.
        guard let (interface, part) = missing.max(by: { $0.1 ?? .link < $1.1 ?? .link }), let part else {
            return withoutCandidate
        }
        return .broken(
            part.kind, "no way out (\(usability(families)))", .noPath,
            advice: part.advice(interface, families), command: part.command(interface, families))
    }

    /// What each interface lacks; one family is enough to be usable.
    private func usability(_ families: [AddressFamily]) -> String {
        subject.path.interfaces.map { interface in
            let reasons = families.map { interface[$0].reason?.rawValue }
            return
                "\(interface.name): \(reasons.contains(nil) ? "usable" : reasons.compactMap { $0 }.first ?? "usable")"
        }.joined(separator: ", ")
    }

    /// A manager would have taken the route away with the carrier.
    private func preference(
        of dead: Interface, _ family: AddressFamily, _ families: [AddressFamily]
    ) -> Explanation.Step {
        // Without it ip(8) shows and takes away the routes of IPv4.
        let option = family == .ipv4 ? "" : "-6 "
        let lack = dead.hasCarrier ? "cannot carry anything" : "has no carrier"
        return .broken(
            .route, "no way out: the route by \(dead.name), which \(lack), goes before the others", .noPath,
            evidence: usability(families),
            advice: """
                take it away, or bring \(dead.name) up again: ip \(option)route del default dev \(dead.name).\
                \(SilentWay(facts: facts).detour)
                """,
            command: "ip \(option)route show default")
    }

    /// A link without any address may be no way out at all, as a container's is not, and may be the only one.
    private var withoutCandidate: Explanation.Step {
        guard let link = way.links.first(where: { $0.flags.contains(.lowerUp) }) ?? way.links.first else {
            return .broken(
                .interface, "there is no interface but the loopback", .noPath,
                advice: "set an interface up, or load its driver", command: "ip link")
        }
        let isUp = link.flags.contains(.lowerUp)
        return .broken(
            isUp ? .address : .interface, "\(link.name) \(isUp ? "has no address" : "is down or has no carrier")",
            .noPath,
            advice: isUp ? "is a DHCP client running, or a router announcing?" : "ip link set \(link.name) up",
            command: isUp ? "ip address show \(link.name)" : "ip link show \(link.name)")
    }

    private var leadsSomewhere: Bool {
        switch way.route {
        case .route: true
        case .rejected, .noRoute, nil: false
        }
    }

    var address: Explanation.Step? {
        guard let link = way.link else { return nil }
        let family = way.destination?.family
        let own = link.addresses.filter { family == nil || $0.address.family == family }
        let usable = own.filter {
            !$0.isTentative && !$0.isDuplicate && (!$0.address.isLinkLocal || way.destination?.isLinkLocal == true)
        }
        if let duplicate = own.first(where: \.isDuplicate), usable.isEmpty {
            return .broken(
                .address, "another host has \(duplicate.address)", .interfaceUnusable,
                advice: "give one of them another address", command: "ip address show \(link.name)")
        }
        guard let first = usable.first else {
            if let borrowed { return Explanation.Step(.address, "\(borrowed) of another interface, on \(link.name)") }
            return .broken(
                .address, "\(link.name) has no \(family?.words ?? "usable") address", .interfaceUnusable,
                advice: addressAdvice,
                command: way.translation == nil ? "ip address show \(link.name)" : Self.translationQuery)
        }
        return Explanation.Step(.address, "\(first.address)/\(first.prefixLength) on \(link.name)")
    }

    /// The address of another interface that packets carry; nil where none was answered.
    private var borrowed: IPAddress? {
        guard let result = facts.farEnd.result, result.outcome == .success || result.wasConnected,
            case .route(_, let chosen?)? = way.route, let source = chosen.preferredSource, !source.isLinkLocal,
            !source.isLoopback, !source.isUnspecified
        else { return nil }
        return source
    }

    private var addressAdvice: String {
        guard let translation = way.translation else { return "is a DHCP client running, or a router announcing?" }
        return """
            the network has IPv6 only and translates IPv4 (NAT64, \(translation)/96): ask by name and by its name server \
            (DNS64), or run a CLAT (clatd)
            """
    }

    private static let translationQuery = "dig AAAA ipv4only.arpa"

    /// Nil for an address that does not expire.
    var lease: Explanation.Step? {
        guard let source = way.source, let valid = source.validLifetime else { return nil }
        let lender = source.address.family == .ipv4 ? "DHCP" : "a router or DHCPv6"
        let age = source.updated.map { UInt64($0) * 10_000_000 }.map { renewed in
            let now = way.time.nanoseconds
            return "renewed \(Self.words(now > renewed ? (now - renewed) / 1_000_000_000 : 0)) ago, "
        }
        let finding = "lent by \(lender), \(age ?? "")valid for \(Self.words(UInt64(valid))) more"
        guard source.preferredLifetime == 0 else { return Explanation.Step(.lease, finding) }
        return .broken(
            .lease, "\(finding), and not to be used for anything new", .interfaceUnusable,
            advice: "nobody has renewed it: is the DHCP server or the router there, and the DHCP client running?",
            command: "ip address show \(way.link?.name ?? "")")
    }

    private static func words(_ seconds: UInt64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        default: "\(seconds / 3600) h"
        }
    }
}
