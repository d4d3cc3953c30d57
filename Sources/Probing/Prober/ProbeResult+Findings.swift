internal import Connectivity
internal import EventLoop
internal import NetworkAddress
internal import RequestEngine
internal import SystemPackage

/// What an answer has to have beside itself, and what is found out about a probe that has none.
extension ProbeResult {
    /// Adds the phases of the legs that redirected to the last one. What the whole took beside its legs went into the
    /// look-ups between them.
    func adding(legsBefore response: Response, _ whole: Duration) -> ProbeResult {
        guard !response.redirects.isEmpty else { return self }
        var result = self
        result.phaseNanoseconds.merge(response.earlierPhases.mapValues(\.nanoseconds)) { $0 + $1 }
        result.phaseNanoseconds[.resolve, default: 0] += (whole - response.timeSpent).nanoseconds
        return result
    }

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
        guard proxy != nil, outcome == .failure, failedPhase == .connect, reason != .overloaded, reason != .unreachable
        else { return self }
        var result = self
        result.reason = .proxyRefused
        // A SOCKS proxy may have taken the connection and said nothing: to libcurl that is one phase.
        let what =
            reason == .connectTimeout ? "no connection comes about through the proxy" : "the proxy cannot be reached"
        result.failure = "\(what): \(failure ?? "no connection")"
        return result
    }

    /// EADDRNOTAVAIL says that there is no local port, or no local address.
    func naming(_ errno: Errno?, lacksSource: @autoclosure () -> Bool) -> ProbeResult {
        guard errno == .addressNotAvailable else { return self }
        var result = self
        if lacksSource() {
            result.reason = .unreachable
        } else {
            result.failure = "this host has no local port left for another connection: see ip_local_port_range"
        }
        return result
    }

    /// Whether nothing of its target's has come back. What has come back is its answer, whatever it says.
    var isWithoutAnswer: Bool { outcome == .failure && failedPhase != .processing }

    /// The uplink may be well: that it cannot be probed is this host's own doing.
    func filtered(_ interface: String) -> ProbeResult {
        var result = self
        result.outcome = .skipped
        result.reason = .reversePathFilter
        result.failure =
            "answers over \(interface) are dropped by strict reverse-path filtering: set net.ipv4.conf.\(interface).rp_filter=2"
        return result
    }

    func withSilentGateway(_ gateway: IPAddress, _ interface: String) -> ProbeResult {
        var result = self
        result.reason = .gatewayUnreachable
        result.failure = "the gateway \(gateway) on \(interface) does not answer"
        return result
    }

    /// Whether a name server's lie could be behind it.
    var isWorthDoubt: Bool {
        guard outcome == .failure else { return outcome == .portal }
        return ![.overloaded, .bindingRefused, .interfaceUnusable, .noRoute, .gatewayUnreachable, .reversePathFilter]
            .contains(reason)
    }

    /// A portal stays one: the page to log in at is worth more than how the probe was led there.
    func hijacked(_ addresses: [IPAddress]) -> ProbeResult {
        var result = self
        let places = addresses.prefix(2).map(\.description).joined(separator: ", ")
        let lie = "the name server answers every name with \(places)"
        result.failure = failure.map { "\(lie); \($0)" } ?? lie
        if outcome == .failure { result.reason = .nameHijacked }
        return result
    }
}
