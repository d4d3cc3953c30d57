/// What is watched and how it is judged.
package struct Settings: Sendable {
    package var targets: [Watched]
    package var policy = Policy.all
    package var jitter = 0.1
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
