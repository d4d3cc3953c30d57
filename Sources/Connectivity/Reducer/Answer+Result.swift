internal import EventLoop
internal import Evidence
internal import Reachability

extension Answer {
    /// What a probe's result proves.
    init(_ result: ProbeResult, at now: Instant) {
        self =
            switch result.outcome {
            case .success: .expected
            case .portal: .elsewhere
            case .cancelled: .void
            case .skipped: result.reason == nil ? .inapplicable : .unsent
            case .failure: Answer(failure: result, at: now)
            }
    }

    private init(failure result: ProbeResult, at now: Instant) {
        self =
            switch result.reason {
            case .overloaded, .notPermitted, .bindingRefused, .reversePathFilter: .unsent
            case .noRoute, .interfaceUnusable, .noPath: .noRoute
            // Valid now, and not for as long as is asked for: no clock is at fault.
            case .certificateExpired where result.certificate?.isValid(at: now) ?? false: .wrong(.outOfTime)
            case .certificateExpired, .certificateNotYetValid:
                .outOfTime(result.certificate.flatMap { UntimelyCertificate($0, at: now) })
            // Of others that says nothing.
            case .certificateIssuer where result.remoteAddress == nil: .wrong(.unverifiable)
            case .certificateName, .certificateIssuer, .tlsFailed: .untrusted
            case .connectionRefused, .proxyRefused: .wrong(.refused)
            case .connectTimeout, .unreachable, .gatewayUnreachable, .timeout: .nothing
            case .connectionLost: .wrong(.unanswered)
            case .nameHijacked: .wrong(.nameHijacked)
            case .bodyUnexamined: .wrong(.unexamined)
            case .unexpectedBody: .wrong(.unexpected)
            case _ where result.statusCode != nil: .wrong(.unexpected)
            case .nameServerFailed: .wrong(.nameServerFailed)
            // One that sends in a circle, or a header without end, has answered.
            case .nameNotFound, .unexpectedStatus, .unexpectedHeader: .wrong(.unexpected)
            default: .nothing
            }
    }
}

extension CertificateFacts {
    fileprivate func isValid(at now: Instant) -> Bool {
        let seconds = Int64(now.wall / 1_000_000_000)
        return notBeforeSeconds <= seconds && seconds <= notAfterSeconds
    }
}

extension UntimelyCertificate {
    /// Nil for one that is never valid.
    init?(_ certificate: CertificateFacts, at now: Instant) {
        guard certificate.notBeforeSeconds <= certificate.notAfterSeconds else { return nil }
        let seconds = Int64(now.wall / 1_000_000_000)
        let (first, isFirstTooLong) = certificate.notBeforeSeconds.subtractingReportingOverflow(seconds)
        let (last, isLastTooLong) = certificate.notAfterSeconds.subtractingReportingOverflow(seconds)
        guard !isFirstTooLong, !isLastTooLong else { return nil }
        self.init(name: certificate.description, offsets: first...last)
    }
}
