internal import EventLoop
internal import FoundationEssentials
internal import NetworkAddress
internal import RequestCore

/// Sends HTTP probes, each over a connection of its own, and says what came of them.
struct HTTPProber: Sendable {
    /// The most that is read of an answer: enough for every expected text, too little to be flooded.
    private static let maximumBody = 64 << 10

    private let session: Session

    init(loop: EventLoop, caFile: String?) throws(RequestError) {
        var configuration = SessionConfiguration()
        configuration.acceptsCompression = false
        configuration.maximumBodySize = Self.maximumBody
        configuration.maximumHeaderSize = 32 << 10
        // The reducer limits how many probes are under way; many targets may share one host.
        configuration.maximumConnectionsPerHost = 1 << 16
        configuration.headers = [
            "User-Agent": "Mozilla/5.0 (X11; Linux) netwatch", "Accept": "*/*", "Cache-Control": "no-cache",
        ]
        if let caFile { configuration.securityPolicies.other?.anchors = .file(caFile) }
        session = try Session(configuration: configuration, loop: loop)
    }

    func result(of probe: Probe) async -> ProbeResult {
        guard let url = URL(string: probe.target.url), let parts = try? URLParts(probe.target.url) else {
            return ProbeResult(probe, .failure, RequestMetrics())
        }
        let challenge = String(UInt64.random(in: 0 ... .max), radix: 16)
        do {
            let response = try await session.response(for: request(probe, url, challenge))
            let judge = ReplyJudge(
                expectation: probe.target.expectation, isSecure: probe.target.isSecure, host: parts.host,
                challenge: challenge)
            return ProbeResult(probe, judge.verdict(Reply(response)), response)
        } catch {
            return ProbeResult(probe, error)
        }
    }

    private func request(_ probe: Probe, _ url: URL, _ challenge: String) -> Request {
        var request = Request(url: url, method: HTTPMethod(rawValue: probe.target.method))
        request.headers = HTTPHeaders(
            probe.target.headers.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
        if probe.target.expectation.kind == .challenge { request.headers.set("X-Netwatch-Challenge", to: challenge) }
        request.timeouts = Timeouts(connect: probe.timeout, idle: probe.timeout, total: probe.timeout)
        request.interface = probe.interface.map { .name($0) }
        request.family = probe.family
        request.usesFreshConnection = true
        return request
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
