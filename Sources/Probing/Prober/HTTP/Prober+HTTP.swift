internal import Connectivity
internal import EventLoop
internal import FoundationEssentials
internal import NetworkAddress
internal import RequestEngine
internal import SystemPackage

extension SessionConfiguration {
    /// For probes: each over a connection of its own, with little to read and nothing to remember.
    static func ofProbes(certificateAuthorityFile: String?, trustStores: TrustStores) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        if let certificateAuthorityFile {
            configuration.securityPolicies.other?.anchors = .file(certificateAuthorityFile)
        }
        configuration.trustStores = trustStores
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
    /// Asks an HTTP target, or shakes hands with a TLS one, at these addresses where they are known. They are those of
    /// the proxy where there is one.
    func get(_ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]?, timeout: Duration) async -> ProbeResult {
        let start = MonotonicTime.now
        let deadline = start.advanced(by: timeout)
        let isChallenged = probe.target.expectation.kind == .challenge
        let challenge = isChallenged ? String(UInt64.random(in: 0 ... .max), radix: 16) : ""
        do throws(RequestError) {
            var request = try Request(
                probe, parts, addresses, timeout: timeout, challenge: challenge, authorities: certificateAuthorityFile)
            if await exchanges.areWatched { request.connections = ProbeConnections(of: probe, to: exchanges) }
            if let limit = probe.target.redirects {
                request.interceptors = [
                    RedirectFollower(
                        handler: ProbeRedirects(prober: self, probe: probe, deadline: deadline), limit: limit)
                ]
            }
            let response = try await readySession().response(for: request)
            let took = start.duration(to: .now)
            examine?(probe.id, .response(response))
            return await result(of: probe, parts, response, challenge, until: deadline)
                .adding(legsBefore: response, took)
                .requiring(wholeBody: probe.target.maximumBodySize, response)
                .requiring(days: probe.target.expectation.certificateDays)
                .requiring(version: probe.target.httpVersion, response.httpVersion)
        } catch {
            examine?(probe.id, .failure(error))
            let result = ProbeResult(probe, error).blamingProxy(probe.target.proxy)
            guard case .connect(_, _, let errno) = error.reason else { return result }
            let address = error.metrics.remoteAddress
            return result.naming(errno, lacksSource: ProbeSocket.lacksSource(to: address, by: probe.interface))
        }
    }

    /// Asks as a probe does, and leaves it to the caller what to make of the answer.
    ///
    /// - Parameter segments: The most bytes that a segment of the connection carries; nil for the usual.
    func response(
        for probe: Probe, _ parts: URLParts, _ addresses: [IPAddress], timeout: Duration, segments: Int? = nil
    ) async throws(RequestError) -> Response {
        var request = try Request(probe, parts, addresses, timeout: timeout, authorities: certificateAuthorityFile)
        request.maximumSegmentSize = segments
        return try await readySession().response(for: request)
    }

    private func result(
        of probe: Probe, _ parts: URLParts, _ response: Response, _ challenge: String, until deadline: MonotonicTime
    ) async -> ProbeResult {
        guard parts.isHTTP else { return ProbeResult(handshake: probe, response.metrics) }
        if probe.target.proxy != nil, response.statusCode == 407 { return ProbeResult(refusedByProxy: probe, response) }
        var expectation = probe.target.expectation
        // A target that has redirects followed asks for what is at their end: one that cannot be followed does not tell.
        if probe.target.redirects != nil { expectation.excludesRedirects = true }
        let judge = ReplyJudge(
            expectation: expectation, isSecure: parts.isSecure,
            host: response.redirects.isEmpty ? parts.host : response.url.host() ?? parts.host, challenge: challenge)
        guard let verdict = await examiners.verdict(of: judge, on: response, until: deadline, loop) else {
            return ProbeResult(probe, .cancelled, response.metrics)
        }
        return ProbeResult(probe, verdict, response)
    }
}

extension Reply {
    init(_ response: Response) {
        self.init(
            statusCode: response.statusCode, version: response.httpVersion.rawValue,
            headers: response.headers.map { Expectation.Header(name: $0.name, value: $0.value) },
            body: Array(response.body), isBodyCut: response.isBodyCut)
    }
}
