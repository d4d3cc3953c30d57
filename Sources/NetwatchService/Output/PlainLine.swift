#if Service
package import Connectivity
import NetworkAddress
import Reachability

/// Events as single lines for people, without colour: what a pipe or a log gets.
package enum PlainLine {
    /// `08:41:03  ethernet via eth0, connectivity full  IPv4 via 192.0.2.1 dev eth0  the default route on eth0 was set`
    package static func text(of event: Event) -> String {
        "\(WallClock.timeOfDay(event.timeNanoseconds))  \(DisplayText.safe(event.description))"
    }
}

/// The verdict of an event in words that every output for people uses.
enum Verdict {
    /// `ethernet via eth0 (192.0.2.1)`, or `none (no-carrier)`.
    static func way(_ event: Event) -> String {
        let status = event.reachability.rawValue
        guard event.reachability.isReachable else { return status + reason(event.path) }
        let names = event.to.interfaces.map(DisplayText.safe).joined(separator: ", ")
        let gateway = (event.path.ipv4.gateway ?? event.path.ipv6.gateway).map { " (\($0))" } ?? ""
        return "\(status) via \(names)\(gateway)"
    }

    private static func reason(_ path: Path) -> String {
        path.reason.map { " (\($0.rawValue))" } ?? ""
    }

    /// What the connectivity means, in one sentence.
    static func meaning(_ event: Event) -> String {
        switch event.connectivity {
        case .full where event.reason == .endpointsUnreachable:
            "no check address answers, and this host's own connections go on\(reason(event))"
        case .full where event.suspectSince != nil:
            "all that was asked for answers; connections wait in vain, and probes are under way"
        case .full: "all that was asked for answers"
        case .limited: "some of what was asked for does not answer\(reason(event))"
        case .portal: "a captive portal answers in the place of the targets: sign in \(portal(event))\(spare(event))"
        case .local: "there is a path, and no target answers\(reason(event))\(spare(event))"
        case .none: "there is no path: \(event.path.reason.map(explanation) ?? "no interface could carry traffic out")"
        case .unknown where event.reachability.isReachable: "no probe has ended yet, or none is configured"
        case .unknown: "not known yet"
        }
    }

    private static func reason(_ event: Event) -> String {
        event.reason.map { " (\($0.rawValue))" } ?? ""
    }

    private static func spare(_ event: Event) -> String {
        event.spare.map { "; \(DisplayText.safe($0)) works" } ?? ""
    }

    private static func portal(_ event: Event) -> String {
        event.portal.map { "at \(DisplayText.safe($0))" } ?? "with a browser"
    }

    /// A reason of the closed list, for people.
    static func explanation(_ reason: PathReason) -> String {
        switch reason {
        case .adminDown: "the interface is switched off (ip link set … up)"
        case .noCarrier: "the interface has no carrier: cable out, not associated, or the peer is down"
        case .dormant: "the interface waits for authentication"
        case .noAddress: "the interface has no address that could be a source"
        case .tentative: "the addresses are still being checked for duplicates"
        case .duplicateAddress: "another host has the address"
        case .linkLocalSource: "the kernel would send with a link-local source"
        case .noRoute: "no route leads out"
        case .blackhole: "a blackhole route matches"
        case .unreachable: "an unreachable route matches"
        case .prohibit: "a prohibit route matches"
        case .tunnelWithoutCarrier: "the tunnel's daemon is gone"
        case .tunnelWithoutPath: "the tunnel's own packets have no path"
        case .legWithoutCarrier: "one leg of the multipath route has no carrier"
        case .mediumNotAllowed: "the path leaves by a medium that is not counted"
        case .split: "parts of the address space leave by different ways, or not at all"
        }
    }
}
#endif
