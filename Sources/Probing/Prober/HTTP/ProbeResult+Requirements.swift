internal import Connectivity
internal import RequestEngine

/// What an answer has to have beside itself.
extension ProbeResult {
    /// Fails where the certificate ends within so many days.
    func requiring(days: Int?) -> ProbeResult {
        guard outcome == .success, let days, let certificate else { return self }
        let left = certificate.notAfterSeconds - Int64(Instant.now.wall / 1_000_000_000)
        guard left / 86400 < Int64(days) else { return self }
        return failed(
            .certificateExpired, .tls,
            "its certificate ends in \(left / 86400) days, and \(days) are asked for: renew it")
    }

    /// Fails where the body was longer than it may be.
    func requiring(wholeBody limit: Int?, _ response: Response) -> ProbeResult {
        guard outcome == .success, let limit, response.isBodyCut else { return self }
        return failed(
            .bodyUnexamined, .transfer, "answered \(response.statusCode), and the body is longer than \(limit) bytes")
    }

    /// Fails where another version of HTTP was spoken.
    func requiring(version: ProtocolVersion?, _ spoken: ProtocolVersion) -> ProbeResult {
        guard outcome == .success, let version, version != spoken else { return self }
        return failed(
            .unexpectedHeader, .processing,
            "answered by HTTP/\(spoken.rawValue), and HTTP/\(version.rawValue) is asked for")
    }

    private func failed(_ reason: ConnectivityReason, _ phase: Phase, _ failure: String) -> ProbeResult {
        var result = self
        result.outcome = .failure
        result.reason = reason
        result.failure = failure
        result.failedPhase = phase
        return result
    }

    /// With a proxy, a connection that fails is the one to the proxy.
    func blamingProxy(_ proxy: String?) -> ProbeResult {
        guard proxy != nil, outcome == .failure, failedPhase == .connect, reason != .overloaded else { return self }
        var result = self
        result.reason = .proxyRefused
        result.failure = "the proxy cannot be reached: \(failure ?? "no connection")"
        return result
    }

    /// The proxy has answered in the place of the target (RFC 9110, section 15.5.8).
    init(refusedByProxy probe: Probe, _ response: Response) {
        self.init(probe, .failure, response.metrics)
        statusCode = response.statusCode
        reason = .proxyRefused
        failure = "the proxy answered 407: it wants a name and a password"
        failedPhase = .processing
    }

    /// A handshake that was made. Nothing was asked after it.
    init(handshake probe: Probe, _ metrics: RequestMetrics) {
        self.init(probe, .success, metrics)
        phaseNanoseconds[.processing] = nil
        phaseNanoseconds[.transfer] = nil
    }
}
