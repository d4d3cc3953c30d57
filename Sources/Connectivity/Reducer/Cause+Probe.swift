internal import EventLoop
internal import NetworkAddress
internal import Reachability

extension Cause {
    /// The end of a probe as the cause of what followed.
    ///
    /// - Parameter isPortal: Whether what looks like a portal is one.
    init(probe result: ProbeResult, isPortal: Bool = true) {
        let milliseconds = result.durationNanoseconds / 1_000_000
        let addresses = result.addresses.map { "; \($0.summary)" } ?? ""
        let failure = isPortal || result.outcome != .portal ? result.failure : Self.elsewhere(result)
        let outcome = (failure ?? "answered as expected in \(milliseconds) ms") + addresses
        self.init(
            kind: .probe, description: "\(result.target): \(outcome)", interface: result.interface,
            fields: ["target": result.target, "outcome": result.outcome.rawValue])
        if let reason = result.reason { fields["reason"] = reason.rawValue }
        if let code = result.statusCode { fields["status"] = "\(code)" }
    }

    /// What one target alone does that portals do, too.
    private static func elsewhere(_ result: ProbeResult) -> String {
        let what = result.portal.map { "it sends to another site (\($0))" } ?? "another page is in its place"
        return "\(what); perhaps a portal"
    }

    /// The answer of a portal's API as the cause of what followed.
    init(portal: CaptivePortal) {
        let what =
            switch portal.isCaptive {
            case true?: "says that a person has to log in" + (portal.userPortal.map { " at \($0)" } ?? "")
            case false?: "says that the way is open"
            case nil: portal.failure ?? "gave no answer"
            }
        self.init(
            kind: .probe, description: "the portal's API \(portal.api) \(what)", interface: portal.interface,
            fields: ["api": portal.api])
    }

    /// Connections that wait as the cause of what followed.
    init(stall: TrafficEvidence, at now: MonotonicTime) {
        let milliseconds = (stall.stalledSince ?? now).duration(to: now).nanoseconds / 1_000_000
        let connections = stall.waiting == 1 ? "a connection waits" : "\(stall.waiting) connections wait"
        self.init(
            kind: .traffic,
            description: "\(connections) for an answer over \(stall.interface) since \(milliseconds) ms",
            interface: stall.interface, fields: ["waiting": "\(stall.waiting)", "family": stall.family.rawValue])
    }
}
