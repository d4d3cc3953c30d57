#if Service
package import Connectivity

extension ConnectivityStatistics {
    /// What the monitor has counted, as families.
    package var families: [MetricFamily] {
        [
            MetricFamily(
                "netwatch_probes_total", .counter, help: "Probes that ended, by how.",
                ProbeResult.Outcome.allCases.map { outcome in
                    .init(Double(results[outcome] ?? 0), [.init("result", outcome.rawValue)])
                }),
            MetricFamily(
                "netwatch_probes_started_total", .counter, help: "Probes that were started.", [.init(Double(probes))]),
            MetricFamily(
                "netwatch_probes_abandoned_total", .counter,
                help: "Probes that were given up because the path changed under them.",
                [.init(Double(cancelledProbes))]),
        ]
    }
}
#endif
