internal import Connectivity
internal import NetworkAddress
internal import RequestEngine

/// The steps at the far end: TLS, answer, the other family.
extension ExplanationFacts {
    /// Nil where the clock is not in doubt.
    var clockStep: Explanation.Step? {
        guard let serverTime, let certificate = result?.certificate else { return nil }
        let now = Int64(Instant.now.wall / 1_000_000_000)
        let isExplained = (certificate.notBeforeSeconds...certificate.notAfterSeconds).contains(serverTime)
        guard isExplained, abs(serverTime - now) > Self.tolerance else { return nil }
        return .broken(
            .clock, "this host's clock says \(UTCTime(now)), and \(host)'s \(UTCTime(serverTime))", result?.reason,
            advice:
                "set the clock: is a time service running (timedatectl set-ntp true), and does it reach its servers?",
            command: "timedatectl")
    }

    /// No clock that was ever set is so far off, in seconds.
    private static let tolerance: Int64 = 3600

    var tlsStep: Explanation.Step? {
        guard let result, result.phaseNanoseconds[.tls] != nil || result.failedPhase == .tls else { return nil }
        if wantsClientCertificate { return certificateStep(result) }
        guard result.failedPhase == .tls else {
            return Explanation.Step(
                .tls, "\(result.certificate?.description ?? "the certificate is trusted")\(time(.tls))")
        }
        return .broken(
            .tls, result.failure ?? "the handshake failed", result.reason, advice: tlsAdvice(result.reason),
            command: handshake)
    }

    private func certificateStep(_ result: ProbeResult) -> Explanation.Step {
        .broken(
            .tls, "\(host) wants a client certificate, and none was shown", .tlsFailed, blame: .host,
            evidence:
                "it asks for one in the handshake (CertificateRequest), and then: \(result.failure ?? "no answer")",
            advice: "show one that the server accepts: curl --cert FILE --key FILE; netwatch shows none",
            command: handshake)
    }

    private var handshake: String {
        let parts = parts
        let host = parts?.host ?? host
        let place = host.contains(":") ? "[\(host)]" : host
        return "openssl s_client -connect \(place):\(parts?.port ?? 443) -servername \(host)"
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
        guard let result, isHTTP else { return nil }
        guard result.outcome != .success else {
            return Explanation.Step(.http, "answered \(result.statusCode.map(String.init) ?? "")\(time(.processing))")
        }
        return .broken(
            .http, result.failure ?? "no answer", result.reason,
            blame: result.outcome == .portal ? .uplink : result.reason == .bodyUnexamined ? .host : nil,
            advice: result.outcome == .portal
                ? portalAdvice
                : result.reason == .bodyUnexamined
                    ? "the server may be well: read more of the body (\"maximumBodySize\"), or make the expression simpler"
                    : "the server is reached and does not answer as it should: see its log",
            command: ask)
    }

    private var portalAdvice: String {
        result?.portal.map { "log in at \($0)" } ?? "open a page in a browser and log in"
    }

    /// Nil where not each address was asked.
    var addressesStep: Explanation.Step? {
        guard let eachAddress else { return nil }
        guard let dead = eachAddress.first(where: \.isFailure) else {
            return Explanation.Step(.addresses, eachAddress.summary)
        }
        let parts = parts
        let port = parts?.port ?? (parts?.isSecure == true ? 443 : 80)
        return .broken(
            .addresses, eachAddress.summary, dead.reason,
            advice: "clients that take it wait or fail: mend it, or take it out of the name",
            command: "curl -sv -m 3 --resolve \(host):\(port):\(dead.address) \(target.url)")
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
            command: "curl \(family == .ipv4 ? "-4" : "-6") -sv -m 3 \(target.url)")
    }
}
