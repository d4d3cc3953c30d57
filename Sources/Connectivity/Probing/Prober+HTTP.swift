internal import EventLoop
internal import FoundationEssentials
internal import NetworkAddress
internal import RequestCore

extension SessionConfiguration {
    /// For probes: each over a connection of its own, with little to read and nothing to remember.
    static func ofProbes(certificateAuthorityFile: String?) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        if let certificateAuthorityFile {
            configuration.securityPolicies.other?.anchors = .file(certificateAuthorityFile)
        }
        configuration.acceptsCompression = false
        configuration.maximumBodySize = 64 << 10
        configuration.maximumHeaderSize = 32 << 10
        // The reducer limits how many probes are under way; many targets may share one host.
        configuration.maximumConnectionsPerHost = 1 << 16
        configuration.headers = [
            "User-Agent": "Mozilla/5.0 (X11; Linux) netwatch", "Accept": "*/*", "Cache-Control": "no-cache",
        ]
        return configuration
    }
}

extension Prober {
    /// Asks an HTTP target, at these addresses where they are known.
    func get(_ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]?, timeout: Duration) async -> ProbeResult {
        let challenge = String(UInt64.random(in: 0 ... .max), radix: 16)
        do throws(RequestError) {
            let response = try await readySession().response(
                for: Request(probe, parts, addresses, timeout: timeout, challenge: challenge))
            let judge = ReplyJudge(
                expectation: probe.target.expectation, isSecure: probe.target.isSecure, host: parts.host,
                challenge: challenge)
            return ProbeResult(probe, judge.verdict(Reply(response)), response)
                .requiring(days: probe.target.expectation.certificateDays)
        } catch {
            return ProbeResult(probe, error)
        }
    }
}

extension Request {
    fileprivate init(
        _ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]?, timeout: Duration, challenge: String
    ) {
        self.init(url: parts.url, method: HTTPMethod(rawValue: probe.target.method))
        headers = HTTPHeaders(
            probe.target.headers.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
        if probe.target.expectation.kind == .challenge { headers.set("X-Netwatch-Challenge", to: challenge) }
        timeouts = Timeouts(connect: timeout, idle: timeout, total: timeout)
        interface = probe.interface.map { .name($0) }
        family = probe.family
        usesFreshConnection = true
        self.addresses = addresses
    }
}

extension ProbeResult {
    /// Fails where the certificate ends within so many days.
    fileprivate func requiring(days: Int?) -> ProbeResult {
        guard outcome == .success, let days, let certificate else { return self }
        let left = certificate.notAfter - Int64(Instant.now.wall / 1_000_000_000)
        guard left / 86400 < Int64(days) else { return self }
        var result = self
        result.outcome = .failure
        result.reason = .certificateExpired
        result.failure = "its certificate ends in \(left / 86400) days, and \(days) are asked for: renew it"
        result.failedPhase = .tls
        return result
    }
}

extension Reply {
    init(_ response: Response) {
        self.init(
            statusCode: response.statusCode, version: response.httpVersion.rawValue,
            headers: response.headers.map { Expectation.Header(name: $0.name, value: $0.value) },
            body: Array(response.body))
    }
}
