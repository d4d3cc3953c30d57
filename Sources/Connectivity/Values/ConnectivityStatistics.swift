/// What a ``ConnectivityMonitor`` has done since it was made. All are counts that only grow.
public struct ConnectivityStatistics: Hashable, Sendable, Codable {
    /// Probes that were started.
    public var probes: UInt64 = 0
    /// Probes that ended, by how.
    public var results: [ProbeResult.Outcome: UInt64] = [:]
    /// Probes that were given up because the path changed under them.
    public var cancelledProbes: UInt64 = 0
    /// Events that were published.
    public var events: UInt64 = 0

    public init() {}

    mutating func count(_ input: ConnectivityReducer.Input, _ output: ConnectivityReducer.Output) {
        probes += UInt64(output.probes.count)
        cancelledProbes += UInt64(output.cancelled.count)
        if output.event != nil { events += 1 }
        if case .ended(_, let result) = input { results[result.outcome, default: 0] += 1 }
    }
}
