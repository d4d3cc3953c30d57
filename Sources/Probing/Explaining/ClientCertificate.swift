internal import Connectivity
internal import EventLoop
internal import NetworkAddress
internal import RequestEngine

extension Prober {
    /// Whether a server asks for the client's certificate in the handshake.
    func wantsClientCertificate(_ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]) async -> Bool {
        guard parts.isSecure, probe.target.proxy == nil else { return false }
        do throws(RequestError) {
            let request = try Request(
                probe, parts, addresses, timeout: min(probe.timeout, .seconds(1)),
                authorities: certificateAuthorityFile)
            return try await readySession().response(for: request).metrics.wantsClientCertificate
        } catch {
            return error.metrics.wantsClientCertificate
        }
    }
}

extension ProbeResult {
    /// Whether a client's certificate that was not shown could be behind it: the handshake or the connection ended, or the
    /// answer forbids (nginx: 400).
    var mayLackCertificate: Bool {
        switch reason {
        case .tlsFailed?, .connectionLost?: true
        case .unexpectedStatus?: statusCode.map { [400, 401, 403, 495, 496].contains($0) } ?? false
        default: false
        }
    }
}
