internal import Netlink
internal import NetworkAddress
internal import Reachability

/// The steps on this host: interface and address.
extension ExplanationFacts {
    var interfaceStep: Explanation.Step? {
        if let interface, link == nil {
            return .broken(
                .interface, "there is no interface \(interface) that traffic could leave by", .interfaceUnusable,
                advice: "check the name", command: "ip link")
        }
        guard let link else { return withoutInterface }
        guard link.isUp else {
            return .broken(
                .interface, "\(link.name) is administratively down", .interfaceUnusable,
                advice: "ip link set \(link.name) up", command: "ip link show \(link.name)")
        }
        guard link.hasCarrier else {
            return .broken(
                .interface, "\(link.name) has no carrier", .interfaceUnusable,
                advice: "check the cable, the access point or the peer", command: "ip link show \(link.name)")
        }
        return Explanation.Step(
            .interface, "\(link.via.joined(separator: " → ")) (\(link.medium)) is up and has a carrier")
    }

    /// The kernel chooses none: the reason of each interface that could be one.
    private var withoutInterface: Explanation.Step? {
        // The loopback and links that lead nowhere else are not among the path's interfaces.
        guard !path.status.isReachable, !leadsSomewhere else { return nil }
        let why = path.interfaces.map { "\($0.name): \($0.ipv4.reason?.rawValue ?? "usable")" }
        let finding =
            why.isEmpty ? "there is no interface but the loopback" : "no way out (\(why.joined(separator: ", ")))"
        let first = path.interfaces.first
        return .broken(
            first?.isUp == true && first?.hasCarrier == true ? .route : .interface, finding, .noPath,
            advice: Self.advice(path), command: "ip address; ip route")
    }

    private var leadsSomewhere: Bool {
        switch route {
        case .route: true
        case .rejected, .noRoute, nil: false
        }
    }

    private static func advice(_ path: Path) -> String {
        switch path.reason ?? path.ipv4.reason {
        case .adminDown?: "set an interface up: ip link set IF up"
        case .noCarrier?, .dormant?: "check the cable, or join a network"
        case .noAddress?, .tentative?, .linkLocalSource?, .duplicateAddress?:
            "get an address: is a DHCP client running?"
        case .blackhole?, .unreachable?, .prohibit?:
            "a route or rule rejects the traffic on purpose: see ip rule, ip route"
        default: "add a default route: ip route add default via GATEWAY"
        }
    }

    var addressStep: Explanation.Step? {
        guard let link else { return nil }
        let family = destination?.family
        let usable = link.addresses.filter { family == nil || $0.address.family == family }
            .filter { !$0.isTentative && !$0.isDuplicate }
        if let duplicate = link.addresses.first(where: { $0.isDuplicate }), usable.isEmpty {
            return .broken(
                .address, "another host has \(duplicate.address)", .interfaceUnusable,
                advice: "give one of them another address", command: "ip address show \(link.name)")
        }
        guard let first = usable.first else {
            return .broken(
                .address, "\(link.name) has no \(family?.rawValue ?? "usable") address", .interfaceUnusable,
                advice: "is a DHCP client running, or a router announcing?", command: "ip address show \(link.name)")
        }
        return Explanation.Step(.address, "\(first.address)/\(first.prefixLength) on \(link.name)")
    }
}
