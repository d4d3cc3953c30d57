internal import enum RequestEngine.Phase

extension ConnectivityStatistics {
    package mutating func count(_ output: ConnectivityReducer.Output) {
        probes += UInt64(output.probes.count)
        probesPutOff += UInt64(output.putOff)
        cancelledProbes += UInt64(output.cancelled.count)
        if output.told != nil { events += 1 }
        for result in output.results { count(result) }
    }

    private mutating func count(_ result: ProbeResult) {
        results[result.outcome, default: 0] += 1
        startDelay.record(result.delayNanoseconds ?? 0)
        for (phase, duration) in result.phaseNanoseconds { phases[phase, default: DelayHistogram()].record(duration) }
    }
}
