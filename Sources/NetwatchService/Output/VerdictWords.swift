import Connectivity
import Reachability

/// The verdict of an event in words that every output for people uses.
enum VerdictWords {
    /// The line of `netwatch status`.
    static func status(_ event: Event) -> String {
        let isProbed = isProbed(event)
        let parts = [
            isProbed ? event.connectivity.rawValue : nil, way(event), gateways(event),
            isProbed ? meaning(event) : event.path.reason.map(explanation),
        ]
        return parts.compactMap { $0 }.joined(separator: "  ") + "\n"
    }

    /// `ethernet via eth0`, `ethernet via eth0 (split), not probed`, or `none (no-carrier)`.
    static func way(_ event: Event) -> String {
        let way = DisplayText.safe(event.wayWords)
        return event.reachability.isReachable && !isProbed(event) ? "\(way), not probed" : way
    }

    /// The next routers, as `ip` writes them: `IPv4 via 192.0.2.1 dev eth0`; nil where there is none.
    static func gateways(_ event: Event) -> String? { event.gatewayWords.map(DisplayText.safe) }

    /// Whether anything is probed at all.
    static func isProbed(_ event: Event) -> Bool { event.reason != .probesDisabled }

    /// What the connectivity means, in one sentence.
    static func meaning(_ event: Event) -> String {
        let answers = Answers(event)
        switch event.connectivity {
        case .full where event.reason == .endpointsUnreachable:
            return "no check address answers, and this host's own connections go on (endpoints-unreachable)"
        case .full where event.suspectSince != nil:
            return "\(answers.ofFull); connections wait in vain, and probes are under way"
        case .full: return answers.ofFull
        case .limited where event.reason == .lossy:
            return "part of the packets are lost on the way (lossy)"
        case .limited where event.reason == .slow:
            return "answers take much longer than they used to (slow)"
        case .limited where event.reason == .clock:
            return "this host's clock is wrong, so that no certificate is valid: set it (timedatectl)"
        case .limited where event.blame == .resolver && event.reason == .nameServerFailed:
            return "the name servers do not answer what they are asked, and the way is well (dns-failed)"
        case .limited: return answers.ofLimited
        case .portal:
            return "a captive portal answers in the place of the targets: sign in \(portal(event))\(spare(event))"
        case .local: return answers.ofLocal + spare(event)
        case .none:
            return "there is no path: \(event.path.reason.map(explanation) ?? "no interface could carry traffic out")"
        case .unknown where !event.reachability.isReachable: return "not known yet"
        case .unknown where !isProbed(event): return "no probe is sent: this is what the kernel knows"
        case .unknown: return answers.ofUnknown
        }
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
