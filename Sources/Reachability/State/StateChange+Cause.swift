import Netlink
import NetworkAddress

extension StateChange {
    /// The change as a cause, in words and in the fields that the kernel's own tools show.
    package var cause: Cause {
        switch event {
        case .asked(_, let hasCarrier): carrierCause(hasCarrier)
        case .nameServers(let servers): nameServerCause(servers)
        case .wireless(_, let event): wirelessCause(event)
        case .told(.link(let change, let link)): linkCause(change, link)
        case .told(.address(let change, let address)): addressCause(change, address)
        case .told(.route(let change, let route)): routeCause(change, route)
        case .told(.rule(let change, let rule)): ruleCause(change, rule)
        case .told(.nexthop(let change, let nexthop)): nexthopCause(change, nexthop)
        case .told(.netconf(_, let netconf)): netconfCause(netconf)
        case .told(.userOption): Cause(kind: .request, description: "a router advertised an option")
        }
    }

    private func carrierCause(_ hasCarrier: Bool) -> Cause {
        let name = previous?.name ?? "a link"
        return Cause(
            kind: .carrier,
            description: name + (hasCarrier ? " has its carrier again" : " has lost its carrier, as its driver says"),
            interface: previous?.name, fields: ["request": "ETHTOOL_GLINK", "carrier": hasCarrier ? "1" : "0"])
    }

    private func nameServerCause(_ servers: [IPAddress]) -> Cause {
        let list = servers.map(\.description).joined(separator: ", ")
        return Cause(
            kind: .nameServers, description: "the name servers are now \(list.isEmpty ? "none" : list)",
            fields: ["nameservers": list])
    }

    private func wirelessCause(_ event: WirelessNotification.Event) -> Cause {
        let name = previous?.name ?? "a Wi-Fi device"
        return Cause(
            kind: .link, description: "\(name): \(event.rawValue)", interface: previous?.name,
            fields: ["nl80211": event.rawValue])
    }

    private func linkCause(_ change: NetlinkNotification.Change, _ link: LinkMessage) -> Cause {
        Cause(
            kind: .link, description: change == .deleted ? "\(link.name) was deleted" : linkNews(link),
            interface: link.name,
            fields: [
                "message": change == .new ? "RTM_NEWLINK" : "RTM_DELLINK", "dev": link.name,
                "ifindex": "\(link.index)", "state": link.operationalState.word,
            ])
    }

    private func linkNews(_ link: LinkMessage) -> String {
        guard let previous else { return "\(link.name) appeared" }
        if previous.name != link.name { return "\(previous.name) is now called \(link.name)" }
        if previous.flags.contains(.up) != link.flags.contains(.up) {
            return "\(link.name) was set \(link.flags.contains(.up) ? "up" : "down")"
        }
        if previous.flags.contains(.lowerUp) != link.flags.contains(.lowerUp) {
            return "\(link.name) \(link.flags.contains(.lowerUp) ? "got" : "lost") its carrier"
        }
        if previous.operationalState != link.operationalState {
            return "\(link.name) went from \(previous.operationalState.word) to \(link.operationalState.word)"
        }
        return "\(link.name) changed"
    }

    private func addressCause(_ change: NetlinkNotification.Change, _ address: AddressMessage) -> Cause {
        let prefix = "\(address.address)/\(address.prefixLength)"
        let name = previous?.name ?? "#\(address.index)"
        return Cause(
            kind: .address, description: "\(name) \(change == .new ? "has" : "lost") the address \(prefix)",
            interface: name,
            fields: [
                "message": change == .new ? "RTM_NEWADDR" : "RTM_DELADDR", "dev": name, "address": prefix,
            ])
    }

    private func routeCause(_ change: NetlinkNotification.Change, _ route: RouteMessage) -> Cause {
        let isDefault = route.destination.length == 0
        let destination = isDefault ? "default" : "\(route.destination)"
        var description = isDefault ? "the default route" : "the route to " + destination
        if let previous { description += " on " + previous.name }
        description += change == .new ? " was set" : " was deleted"
        return Cause(
            kind: .route, description: description, interface: previous?.name,
            fields: routeFields(change, route, destination))
    }

    private func routeFields(
        _ change: NetlinkNotification.Change, _ route: RouteMessage, _ destination: String
    ) -> [String: String] {
        var fields = [
            "message": change == .new ? "RTM_NEWROUTE" : "RTM_DELROUTE", "dst": destination,
            "family": route.destination.address.family.rawValue, "table": "\(route.table)",
        ]
        fields["dev"] = previous?.name
        fields["gateway"] = route.gateway?.description
        if route.priority != 0 { fields["metric"] = "\(route.priority)" }
        return fields
    }

    private func ruleCause(_ change: NetlinkNotification.Change, _ rule: RuleMessage) -> Cause {
        Cause(
            kind: .rule, description: "policy rule \(rule.priority) was \(change == .new ? "added" : "deleted")",
            fields: [
                "message": change == .new ? "RTM_NEWRULE" : "RTM_DELRULE", "priority": "\(rule.priority)",
                "table": "\(rule.table)", "family": rule.family.rawValue,
            ])
    }

    private func nexthopCause(_ change: NetlinkNotification.Change, _ nexthop: NexthopMessage) -> Cause {
        Cause(
            kind: .nexthop, description: "nexthop \(nexthop.id) was \(change == .new ? "set" : "deleted")",
            interface: previous?.name,
            fields: ["message": change == .new ? "RTM_NEWNEXTHOP" : "RTM_DELNEXTHOP", "id": "\(nexthop.id)"])
    }

    private func netconfCause(_ netconf: NetconfMessage) -> Cause {
        let place = previous?.name ?? netconf.index.map { "#\($0)" } ?? "all devices"
        return Cause(
            kind: .netconf, description: "the \(netconf.family.rawValue) settings of \(place) changed",
            interface: previous?.name, fields: ["message": "RTM_NEWNETCONF", "family": netconf.family.rawValue])
    }
}

extension OperationalState {
    /// The state in the words of `ip link`.
    package var word: String {
        switch self {
        case .unknown: "unknown"
        case .notPresent: "notpresent"
        case .down: "down"
        case .lowerLayerDown: "lowerlayerdown"
        case .testing: "testing"
        case .dormant: "dormant"
        case .up: "up"
        }
    }
}
