internal import Reachability

extension Cause {
    /// The end of a probe as the cause of what followed.
    init(probe result: ProbeResult) {
        let milliseconds = result.durationNanoseconds / 1_000_000
        let addresses = result.addresses.map { "; \($0.summary)" } ?? ""
        let outcome = (result.failure ?? "answered as expected in \(milliseconds) ms") + addresses
        self.init(
            kind: .probe, description: "\(result.target): \(outcome)", interface: result.interface,
            fields: ["target": result.target, "outcome": result.outcome.rawValue])
        if let reason = result.reason { fields["reason"] = reason.rawValue }
        if let code = result.statusCode { fields["status"] = "\(code)" }
    }
}
