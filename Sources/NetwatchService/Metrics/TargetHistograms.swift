package import Connectivity
import Synchronization

/// How long the probes of each target took that came to an end: twelve buckets a target, whatever ways it is probed in.
package final class TargetHistograms: Sendable {
    private let histograms = Mutex<[String: Histogram]>([:])

    package init() {}

    /// Counts a result. A probe that was not sent, or was given up, has no duration.
    package func record(_ result: ProbeResult) {
        guard result.outcome != .skipped, result.outcome != .cancelled else { return }
        let seconds = Double(result.durationNanoseconds) / 1e9
        histograms.withLock { $0[result.target, default: Histogram()].record(seconds) }
    }

    /// The histograms of these targets; those of others are forgotten.
    package func family(of targets: [String]) -> MetricFamily {
        let present = histograms.withLock { histograms in
            if histograms.count > targets.count {
                let known = Set(targets)
                histograms = histograms.filter { known.contains($0.key) }
            }
            return histograms
        }
        return MetricFamily(
            "netwatch_target_probe_duration_seconds", .histogram, help: "How long the probes of a target took.",
            targets.flatMap { target in present[target]?.samples([.init("target", target)]) ?? [] })
    }
}
