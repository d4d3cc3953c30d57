public import enum RequestEngine.Phase

/// What a ``ConnectivityMonitor`` has done since it was made. All are counts that only grow.
public struct ConnectivityStatistics: Hashable, Sendable, Codable {
    /// Probes that were started.
    public var probes: UInt64 = 0
    /// Probes that ended, by how.
    public var results: [ProbeResult.Outcome: UInt64] = [:]
    /// Probes that were given up because the path changed under them.
    public var cancelledProbes: UInt64 = 0
    /// Probes that were due and put off, because traffic showed what they would have.
    public var probesPutOff: UInt64 = 0
    /// How late the probes that ended were started: from when each was due to when it was sent.
    public var startDelay = DelayHistogram()
    /// How long each phase took of the probes that ended and entered it; one that failed counts until the failure.
    public var phases: [Phase: DelayHistogram] = [:]
    /// Events that were published.
    public var events: UInt64 = 0

    public init() {}
}
