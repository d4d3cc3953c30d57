internal import RequestEngine

extension ProbeResult {
    /// Whether the transport connection was made, so that packets came back.
    var wasConnected: Bool { failedPhase == .tls || failedPhase == .processing || failedPhase == .transfer }
}
