/// What is watched and how it is judged.
package struct Settings: Sendable {
    package var targets: [Watched]
    package var policy = Policy.all
    package var jitter = 0.1
    /// How long a target that is down is left alone at first; it doubles up to the interval. Nil for the whole interval.
    package var retryDelay: Duration?
    /// After how many intervals without a result nothing is known of a target.
    package var staleIntervals = 2
    /// How many probes may be under way at one time.
    package var limit = 256

    /// How many of the caller's targets must be well.
    package enum Policy: Hashable, Sendable, Codable {
        case all, any
        case quorum(Int)
        case weight(Int)
    }

    package init(targets: [Watched]) { self.targets = targets }
}
