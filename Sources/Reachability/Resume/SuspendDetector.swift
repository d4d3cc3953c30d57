/// Tells a host that slept from a clock that was set.
///
/// Both make the wall clock jump. Only in suspend does CLOCK_BOOTTIME go on while CLOCK_MONOTONIC stands still
/// (`clock_gettime(2)`), so that their difference is the time spent asleep since boot.
package struct SuspendDetector: Hashable, Sendable {
    /// Less than this is the reading of two clocks one after the other.
    private static let leastSleep = Duration.milliseconds(100)

    private var asleep: Duration

    /// - Parameter asleep: CLOCK_BOOTTIME less CLOCK_MONOTONIC, now.
    package init(asleep: Duration) {
        self.asleep = asleep
    }

    /// How long the host has slept since the last look; nil where it has not.
    package mutating func observe(asleep now: Duration) -> Duration? {
        let slept = now - asleep
        guard slept >= Self.leastSleep else { return nil }
        asleep = now
        return slept
    }
}
