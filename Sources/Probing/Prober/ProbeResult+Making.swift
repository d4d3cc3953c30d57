internal import Connectivity
internal import Echo
internal import EventLoop
internal import FoundationEssentials
internal import NetworkAddress
internal import RequestEngine
internal import SystemPackage

/// What a probe came to, by each of the ways that it can end.
extension ProbeResult {
    /// A probe that was answered.
    init(_ probe: Probe, _ verdict: ReplyVerdict, _ response: Response) {
        switch verdict {
        case .online:
            self.init(probe, .success, response.metrics)
        case .portal(let location):
            self.init(probe, .portal, response.metrics)
            let address = location.map { Self.address($0, from: response.url) }
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
        dateOffset = HTTPDate.offset(of: response.headers)
    }

    /// Where a redirect leads, as a person can go there (RFC 9110, 10.2.2); as it is written where that cannot be read.
    private static func address(_ location: String, from base: URL) -> String {
        let place = RedirectPlace(location)
        guard !place.isAbsolute, let url = URL.following(place.reference, from: base) else { return location }
        return URLParts.withoutUser(url.absoluteString)
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

    /// The proxy has answered in the place of the target (RFC 9110, section 15.5.8).
    init(refusedByProxy probe: Probe, _ response: Response) {
        self.init(probe, .failure, response.metrics)
        statusCode = response.statusCode
        reason = .proxyRefused
        failure = "the proxy answered 407: it wants a name and a password"
        failedPhase = .processing
    }

    /// A handshake that was made. Nothing was asked after it.
    init(handshake probe: Probe, _ metrics: RequestMetrics) {
        self.init(probe, .success, metrics)
        phaseNanoseconds[.processing] = nil
        phaseNanoseconds[.transfer] = nil
    }

    init(_ probe: Probe, _ failure: ProbeFailure, after duration: Duration) {
        self.init(probe, failure.outcome, RequestMetrics())
        durationNanoseconds = duration.nanoseconds
        self.failure = failure.description
        reason = failure.reason
        failedPhase = failure.outcome == .failure ? failure.phase : nil
        if let phase = failure.phase { phaseNanoseconds[phase] = duration.nanoseconds }
    }

    /// An answer with other records than the expected one.
    init(_ probe: Probe, unexpected records: [String], _ flaw: ConnectivityReason) {
        self.init(probe, .failure, RequestMetrics())
        reason = flaw
        failure =
            flaw == .unexpectedBody
            ? "answered \(records.prefix(4).map(\.shortened)), and none is the expected record"
            : "answered, and \(flaw.explanation)"
        failedPhase = .processing
    }

    init(_ probe: Probe, _ error: EchoError) {
        self.init(probe, Outcome(error), RequestMetrics())
        failure = error.description
        if error == .notPermitted { reason = .notPermitted }
        guard outcome == .failure else { return }
        // Nothing has come back: the later phases would say that the host is there.
        failedPhase = .connect
        reason =
            switch error {
            // The word of a route that prohibits; a filter's is EPERM.
            case .unreachable(_, .permissionDenied): .unreachable
            case .interfaceRefused(_, let errno), .unreachable(_, let errno): ConnectivityReason(socket: errno)
            case .timedOut: ConnectivityReason(socket: .timedOut)
            case .socket, .tooManyRequests, .notPermitted, .cancelled: .overloaded
            }
    }

    /// A probe over a socket of its own that the kernel has an errno for.
    static func failed(_ probe: Probe, _ errno: Errno, _ what: String) -> ProbeResult {
        var result = ProbeResult(probe, .failure, RequestMetrics())
        result.failure = "\(what): \(errno)"
        result.reason = ConnectivityReason(socket: errno)
        return result
    }
}

extension CertificateFacts {
    init(_ certificate: Certificate) {
        self.init(
            subject: certificate.subject.shortened, issuer: certificate.issuer.shortened,
            notBefore: certificate.notBefore, notAfter: certificate.notAfter)
    }
}

extension ProbeResult.Outcome {
    fileprivate init(_ error: EchoError) {
        switch error {
        case .notPermitted: self = .skipped
        case .cancelled: self = .cancelled
        case .interfaceRefused, .unreachable, .timedOut, .socket, .tooManyRequests: self = .failure
        }
    }
}
