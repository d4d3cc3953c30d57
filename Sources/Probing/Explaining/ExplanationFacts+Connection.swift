internal import Connectivity
internal import NetworkAddress

/// The step of a connection that did not come about.
extension ExplanationFacts {
    func noConnection(_ result: ProbeResult) -> Explanation.Step {
        let failure = result.failure ?? "no connection"
        let isSilent = result.reason == .connectTimeout
        guard isSilent || result.reason == .unreachable, let silence else {
            return isSilent ? lonelySilence(result, failure) : refusal(result, failure)
        }
        var step = Explanation.Step.broken(
            kind, silence.finding, result.reason, evidence: "\(failure); \(silence.evidence)",
            advice: isSilent ? silence.advice : "\(advice(.unreachable)); \(silence.advice)",
            command: silence.command ?? command(result.reason))
        step.blame = silence.blame
        return step
    }

    private var kind: Explanation.Kind { target.proxy == nil ? .connection : .proxy }

    /// Others answer, or were not asked.
    private func lonelySilence(_ result: ProbeResult, _ failure: String) -> Explanation.Step {
        let address = result.remoteAddress?.description ?? host
        let place = parts?.scheme == "icmp" ? address : "\(address) port \(connectPort)"
        let living = elsewhere?.living(.reference).map { "; \($0.host) answers on the same way" }
        var step = Explanation.Step.broken(
            kind, "nothing comes back from \(place)", result.reason, evidence: failure + (living ?? ""),
            advice: living == nil
                ? advice(result.reason)
                : "nothing comes back: the host is down, or a firewall there or on the way drops it",
            command: command(result.reason))
        // Nobody else on this way could be asked.
        if gateway != nil, let elsewhere, elsewhere.asked(.reference).isEmpty { step.blame = nil }
        return step
    }

    private func refusal(_ result: ProbeResult, _ failure: String) -> Explanation.Step {
        .broken(
            kind, failure, result.reason, blame: Self.blame(result.reason), advice: advice(result.reason),
            command: command(result.reason))
    }

    /// Nil where it is the far end's.
    private static func blame(_ reason: ConnectivityReason?) -> TargetHealth.Blame? {
        switch reason {
        case .bindingRefused?, .reversePathFilter?, .overloaded?, .notPermitted?: .host
        case .interfaceUnusable?, .noRoute?, .noPath?: .path
        case .gatewayUnreachable?, .unreachable?: .uplink
        default: nil
        }
    }
}
