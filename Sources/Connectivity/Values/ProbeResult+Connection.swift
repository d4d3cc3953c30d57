internal import enum RequestEngine.Phase

extension ProbeResult {
    /// Whether the transport connection was made, so that packets came back.
    package var wasConnected: Bool { failedPhase == .tls || failedPhase == .processing || failedPhase == .transfer }
}
