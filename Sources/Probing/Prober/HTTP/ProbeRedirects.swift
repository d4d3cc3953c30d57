internal import Connectivity
internal import EventLoop
internal import FoundationEssentials
internal import NetworkAddress
internal import RequestEngine

/// Follows redirects of a probe by the same interface and family: the name of another host is looked up as the first
/// one's was. Where that cannot be done the redirect is the answer.
struct ProbeRedirects: RedirectHandler {
    let prober: Prober
    let probe: Probe
    /// When the probe ends, whatever it was led to.
    let deadline: MonotonicTime

    func decide(_ redirect: Redirect) async -> RedirectDecision {
        var request = redirect.proposed
        guard request.addresses == nil, request.proxy == nil else { return .follow }
        do throws(ProbeFailure) {
            request.addresses = try await addresses(request.url)
            // The legs' own time, which counts against the whole, leaves the look-ups between them out.
            let left = max(MonotonicTime.now.duration(to: deadline), .milliseconds(1))
            request.timeouts.total = redirect.response.timeSpent + left
            return .modify(request)
        } catch {
            return .refuse
        }
    }

    /// The addresses of the host that the probe was redirected to; nil where libcurl looks them up.
    private func addresses(_ url: URL) async throws(ProbeFailure) -> [IPAddress]? {
        let parts: URLParts
        do throws(TargetError) { parts = try URLParts(url.absoluteString) } catch {
            throw ProbeFailure(.unexpectedStatus, error.description)
        }
        var probe = probe
        probe.timeout = min(probe.timeout, MonotonicTime.now.duration(to: deadline))
        guard probe.timeout > .zero else { throw ProbeFailure(.timeout, "no time is left to look its name up") }
        if (try? URLParts(probe.target.url))?.host != parts.host { (probe.addresses, probe.place) = (nil, nil) }
        return try await prober.routed(prober.names.addresses(parts, probe), of: probe)
    }
}
