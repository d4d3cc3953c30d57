package import Connectivity
import RequestEngine

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
            MetricFamily(
                "netwatch_probes_put_off_total", .counter,
                help:
                    "Probes that were due and put off, because this host's own connections showed that the uplink works.",
                [.init(Double(probesPutOff))]),
            MetricFamily(
                "netwatch_probe_start_delay_seconds", .histogram,
                help: "How late probes were started: this host's own delay, no part of their duration.",
                startDelay.samples()),
            MetricFamily(
                "netwatch_probe_duration_seconds", .histogram,
                help: "How long each phase of a probe took that was entered.",
                Phase.allCases.flatMap { phase in phases[phase]?.samples([.init("phase", phase.rawValue)]) ?? [] }),
            MetricFamily(
                "netwatch_probe_start_delay_max_seconds", .gauge,
                help: "The longest of these delays since the start.",
                [.init(Double(startDelay.maximumNanoseconds) / 1e9)]),
        ]
    }
}

extension DelayHistogram {
    fileprivate func samples(_ labels: [MetricFamily.Label] = []) -> [MetricFamily.Sample] {
        Histogram.samples(
            Self.boundNanoseconds.map { Double($0) / 1e9 }, counts, sum: Double(sumNanoseconds) / 1e9, labels)
    }
}
