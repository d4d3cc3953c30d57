internal import Connectivity
internal import NetworkAddress
internal import RequestEngine

/// The steps at the far end: TLS, answer, the other family.
struct AnswerSteps {
    let facts: ExplanationFacts
    private var subject: Subject { facts.subject }
    private var result: ProbeResult? { facts.farEnd.result }

    /// Nil where the clock is not in doubt.
    var clock: Explanation.Step? {
        guard let serverTime = facts.farEnd.serverTime, let certificate = result?.certificate else { return nil }
        let now = Int64(Instant.now.wall / 1_000_000_000)
        // One that is never valid ends before it begins.
        let isExplained = certificate.notBeforeSeconds <= serverTime && serverTime <= certificate.notAfterSeconds
        guard isExplained, abs(serverTime - now) > Self.tolerance else { return nil }
        return .broken(
            .clock, "this host's clock says \(UTCTime(now)), and \(subject.host)'s \(UTCTime(serverTime))",
            result?.reason,
            advice:
                "set the clock: is a time service running (timedatectl set-ntp true), and does it reach its servers?",
            command: "timedatectl")
    }

    /// No clock that was ever set is so far off, in seconds.
    private static let tolerance: Int64 = 3600

    var tls: Explanation.Step? {
        guard let result, result.phaseNanoseconds[.tls] != nil || result.failedPhase == .tls else { return nil }
        if facts.farEnd.wantsClientCertificate { return certificateStep(result) }
        guard result.failedPhase == .tls else {
            return Explanation.Step(
                .tls, "\(result.certificate?.description ?? "the certificate is trusted")\(facts.farEnd.time(.tls))")
        }
        return .broken(
            .tls, result.failure ?? "the handshake failed", result.reason, advice: tlsAdvice(result.reason),
            command: handshake)
    }

    private func certificateStep(_ result: ProbeResult) -> Explanation.Step {
        .broken(
            .tls, "\(subject.host) wants a client certificate, and none was shown", .tlsFailed, blame: .host,
            evidence:
                "it asks for one in the handshake (CertificateRequest), and then: \(result.failure ?? "no answer")",
            advice: "show one that the server accepts: curl --cert FILE --key FILE; netwatch shows none",
            command: handshake)
    }

    private var handshake: String {
        let parts = subject.parts
        let place = parts.host.contains(":") ? "[\(parts.host)]" : parts.host
        let option = Subject.option(subject.namedFamily)
        let end = ShellQuoting.quote("\(place):\(parts.port ?? 443)")
        return "openssl s_client\(option) -connect \(end) -servername \(ShellQuoting.quote(parts.host))"
    }

    private func tlsAdvice(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .certificateExpired?: "the server's certificate has to be renewed; check this host's clock too"
        case .certificateNotYetValid?: "check this host's clock"
        case .certificateName?: "the server answers for another name: check the address and the name"
        case .certificateIssuer?: "name the authority's file, or look for a proxy that opens TLS on the way"
        case .timeout?:
            """
            nothing comes back in the handshake: the server hangs or is overloaded, or something on the way drops it (a \
            firewall that looks into TLS, a smaller MTU)
            """
        default: "server and client do not agree on TLS: check versions, and what answers on this port"
        }
    }

    var http: Explanation.Step? {
        guard let result, subject.parts.isHTTP else { return nil }
        guard result.outcome != .success else {
            return Explanation.Step(
                .http, "answered \(result.statusCode.map(String.init) ?? "")\(facts.farEnd.time(.processing))")
        }
        if result.outcome == .portal { return facts.isPerhapsPortal ? redirectStep(result) : portalStep(result) }
        return .broken(
            .http, result.failure ?? "no answer", result.reason,
            blame: result.reason == .bodyUnexamined ? .host : nil,
            advice: result.reason == .bodyUnexamined
                ? "the server may be well: read more of the body (\"maximumBodySize\"), or make the expression simpler"
                : "the server is reached and does not answer as it should: see its log",
            command: subject.ask)
    }

    private func portalStep(_ result: ProbeResult) -> Explanation.Step {
        .broken(
            .http, result.failure ?? "no answer", result.reason, blame: .uplink,
            advice: result.portal.map { "log in at \($0)" } ?? "open a page in a browser and log in",
            command: subject.ask)
    }

    /// It takes another host to tell a portal from a server that sends its own clients elsewhere, to a sign-on for instance.
    private func redirectStep(_ result: ProbeResult) -> Explanation.Step {
        let what =
            result.portal.map { "it sends to another site (\($0))" } ?? "it sends elsewhere and does not say where"
        switch facts.farEnd.reference?.outcome {
        case .portal?: return portalStep(result)
        case _ where facts.way.isLocal: return ownRedirectStep(what)
        case .success?: return ownRedirectStep("\(what), and others are not sent there")
        case .failure?, .skipped?, .cancelled?, nil:
            var step = portalStep(result)
            step.finding = "\(what); perhaps a portal"
            step.blame = nil
            return step
        }
    }

    private func ownRedirectStep(_ finding: String) -> Explanation.Step {
        .broken(
            .http, finding, .unexpectedStatus,
            advice: """
                follow it ("redirects"), watch that address in its place, or take the status for good ("statuses": \
                \(result?.statusCode ?? 302))
                """,
            command: subject.ask)
    }

    /// Nil where not each address was asked.
    var addresses: Explanation.Step? {
        guard let eachAddress = facts.farEnd.eachAddress else { return nil }
        guard let dead = eachAddress.first(where: \.isFailure) else {
            return Explanation.Step(.addresses, eachAddress.summary)
        }
        return .broken(
            .addresses, eachAddress.summary, dead.reason,
            advice: "clients that take it wait or fail: mend it, or take it out of the name",
            command: subject.ask(at: dead.address))
    }

    /// Nil where there is no other family to speak of.
    var family: Explanation.Step? {
        guard let otherFamily = facts.farEnd.otherFamily, let family = otherFamily.family else { return nil }
        guard otherFamily.outcome != .success else {
            return Explanation.Step(.family, "\(family.words) works as well")
        }
        var step = Explanation.Step.broken(
            .family, "\(family.words) does not work: \(otherFamily.failure ?? "no answer")",
            family == .ipv4 ? .ipv4Failed : .ipv6Failed,
            blame: otherFamily.wasConnected ? nil : TransportSteps.blame(otherFamily.reason),
            advice: """
                programs that try it first wait for it: see the same by netwatch explain --family \(family.rawValue) \
                \(subject.shellURL)
                """,
            command: subject.ask(by: family))
        // No question has told whether the network drops it or the far end.
        if otherFamily.reason == .connectTimeout { step.blame = nil }
        return step
    }
}
