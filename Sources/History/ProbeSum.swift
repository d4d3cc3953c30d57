/// The probes of one target in one minute, or over a longer time, summed up.
package struct ProbeSum: Hashable, Sendable {
    /// How many ended with an answer or without one.
    package var probes: Int64 = 0
    package var failures: Int64 = 0
    /// Of those that succeeded, in microseconds: all together, the longest, and the phases.
    package var duration: Int64 = 0
    package var longest: Int64 = 0
    package var phases = Phases()

    package struct Phases: Hashable, Sendable {
        package var resolve: Int64 = 0
        package var connect: Int64 = 0
        package var tls: Int64 = 0
        package var processing: Int64 = 0
        package var transfer: Int64 = 0

        package init() {}
    }

    package init() {}

    package var successes: Int64 { probes &- failures }

    package static func += (sum: inout ProbeSum, other: ProbeSum) {
        sum.probes += other.probes
        sum.failures += other.failures
        sum.duration += other.duration
        sum.longest = max(sum.longest, other.longest)
        sum.phases.resolve += other.phases.resolve
        sum.phases.connect += other.phases.connect
        sum.phases.tls += other.phases.tls
        sum.phases.processing += other.phases.processing
        sum.phases.transfer += other.phases.transfer
    }
}
