internal import Connectivity
internal import RequestEngine
internal import Resolver

/// Why a probe ended before anything was sent to its target.
struct ProbeFailure: Error {
    var reason: ConnectivityReason?
    var outcome = ProbeResult.Outcome.failure
    var description: String
    var phase: Phase?
    /// Whether name servers were asked, and nothing came of any.
    var isSilence = false

    init(_ reason: ConnectivityReason?, _ description: String, phase: Phase? = nil) {
        self.reason = reason
        self.description = description
        self.phase = phase
    }

    /// The target has no address of the family asked for: it says nothing about it.
    static func notOfFamily(_ host: String) -> ProbeFailure {
        var failure = ProbeFailure(nil, "\(host) has no address of this family", phase: .resolve)
        failure.outcome = .skipped
        return failure
    }

    init(_ error: ResolverError) {
        self.init(Self.reason(error), error.description, phase: .resolve)
        if case .cancelled = error { outcome = .cancelled }
        if case .timedOut = error { isSilence = true }
    }

    private static func reason(_ error: ResolverError) -> ConnectivityReason? {
        switch error {
        case .nameNotFound, .noRecords, .invalidName: .nameNotFound
        case .serverFailed, .timedOut, .unreachable, .malformedAnswer, .noServers: .nameServerFailed
        case .interfaceRefused: .bindingRefused
        case .setup: .overloaded
        case .cancelled: nil
        }
    }
}
