internal import NetworkAddress
internal import RequestCore

/// The steps at the far end: connection, TLS, answer.
extension ExplanationFacts {
    var connectionStep: Explanation.Step? {
        guard let result else { return nil }
        let hasFailed = result.outcome != .success && (result.failedPhase == .connect || !wasConnected)
        guard hasFailed else {
            return Explanation.Step(
                .connection, "connected to \(result.remoteAddress?.description ?? host)\(time(.connect))")
        }
        return .broken(
            .connection, result.failure ?? "no connection", result.reason, advice: advice(result.reason),
            command: destination.map { "ip route get \($0)" })
    }

    private var wasConnected: Bool {
        result.map { $0.statusCode != nil || $0.wasConnected } ?? false
    }

    private func advice(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .connectionRefused?: "nothing listens there: is the service running, and the port right?"
        case .bindingRefused?: "the kernel refused to bind to the interface: Linux 5.7 or CAP_NET_RAW is needed"
        case .reversePathFilter?: "set net.ipv4.conf.IF.rp_filter=2"
        case .gatewayUnreachable?: "is the gateway on, and in this network?"
        case .unreachable?: "a router on the way, or a firewall, says that it cannot be reached"
        default: "nothing comes back: a firewall, or a dead network behind the gateway"
        }
    }

    var tlsStep: Explanation.Step? {
        guard let result, result.phases[.tls] != nil || result.failedPhase == .tls else { return nil }
        guard result.failedPhase == .tls else {
            return Explanation.Step(
                .tls, "\(result.certificate?.description ?? "the certificate is trusted")\(time(.tls))")
        }
        return .broken(
            .tls, result.failure ?? "the handshake failed", result.reason, advice: tlsAdvice(result.reason),
            command: "openssl s_client -connect \(host):443 -servername \(host)")
    }

    private func tlsAdvice(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .certificateExpired?: "the server's certificate has to be renewed; check this host's clock too"
        case .certificateNotYetValid?: "check this host's clock"
        case .certificateName?: "the server answers for another name: check the address and the name"
        case .certificateIssuer?: "name the authority's file, or look for a proxy that opens TLS on the way"
        default: "server and client do not agree on TLS: check versions, and what answers on this port"
        }
    }

    var httpStep: Explanation.Step? {
        guard let result else { return nil }
        guard result.outcome != .success else {
            return Explanation.Step(.http, "answered \(result.statusCode.map(String.init) ?? "")\(time(.processing))")
        }
        return .broken(
            .http, result.failure ?? "no answer", result.reason,
            advice: result.outcome == .portal
                ? portalAdvice : "the server is reached and does not answer as it should: see its log",
            command: "curl -sv \(result.target)")
    }

    /// Nil where there is no other family to speak of.
    var familyStep: Explanation.Step? {
        guard let otherFamily, let family = otherFamily.family else { return nil }
        guard otherFamily.outcome != .success else {
            return Explanation.Step(.family, "\(family.words) works as well")
        }
        return .broken(
            .family, "\(family.words) does not work: \(otherFamily.failure ?? "no answer")",
            family == .ipv4 ? .ipv4Failed : .ipv6Failed,
            advice:
                "programs that try it first wait for it: see the same by netwatch explain --family \(family.rawValue)",
            command: otherFamily.remoteAddress.map { "ip route get \($0)" })
    }

    private var portalAdvice: String {
        result?.portal.map { "log in at \($0)" } ?? "open a page in a browser and log in"
    }

    private func time(_ phase: Phase) -> String {
        guard let nanoseconds = result?.phases[phase] else { return "" }
        let tenths = nanoseconds / 100_000
        return " in \(tenths / 10).\(tenths % 10) ms"
    }
}

extension AddressFamily {
    fileprivate var words: String { self == .ipv4 ? "IPv4" : "IPv6" }
}
