internal import Connectivity
internal import EventLoop
internal import RequestEngine

extension ProbeResult {
    /// A probe that was answered.
    init(_ probe: Probe, _ verdict: ReplyVerdict, _ response: Response) {
        switch verdict {
        case .online:
            self.init(probe, .success, response.metrics)
        case .portal(let address):
            self.init(probe, .portal, response.metrics)
            portal = address.flatMap { $0.utf8.count <= CaptivePortal.longestURL ? $0 : nil }
            reason = .portal
            failure =
                address.map { "a portal answers in its place and sends to \($0.prefix(200))" }
                ?? "a portal answers in its place"
        case .inconclusive(let why):
            self.init(probe, .failure, response.metrics)
            reason = why
            failure =
                why == .bodyUnexamined && response.isBodyCut
                ? "answered \(response.statusCode), and the body is longer than the \(response.body.count) bytes that are read of it"
                : "answered \(response.statusCode), and \(why.explanation)"
        }
        statusCode = response.statusCode
    }

    /// A probe that was not answered.
    init(_ probe: Probe, _ error: RequestError) {
        let isCancelled = if case .cancelled = error.reason { true } else { false }
        self.init(probe, isCancelled ? .cancelled : .failure, error.metrics)
        failure = error.description.shortened
        failedPhase = error.failedPhase
        reason = ConnectivityReason(error.reason, isSecure: probe.target.isSecure)
        if case .untrusted(let trust) = error.reason {
            certificate = trust.chain.first.map { CertificateFacts($0) } ?? certificate
        }
    }

    init(_ probe: Probe, _ outcome: Outcome, _ metrics: RequestMetrics) {
        self.init(
            target: probe.target.name, outcome: outcome, duration: metrics.duration.nanoseconds, time: .now)
        phaseNanoseconds = metrics.phases.mapValues(\.nanoseconds)
        remoteAddress = metrics.remoteAddress
        certificate = metrics.certificates.first.map { CertificateFacts($0) }
        interface = probe.interface
        family = probe.family
    }
}

extension CertificateFacts {
    init(_ certificate: Certificate) {
        self.init(
            subject: certificate.subject.shortened, issuer: certificate.issuer.shortened,
            notBefore: certificate.notBefore, notAfter: certificate.notAfter)
    }
}
