package import Evidence

/// What a verdict may be while the world is as it is.
package struct Truth: Sendable {
    package var statuses: Set<Verdict.Status>
    package var culprits: Set<Culprit?>
    /// The targets that may be called down, and those that have to be at the end.
    package var mayBeDown: Set<Int> = []
    package var isDown: Set<Int> = []
    /// How long a verdict that was right before may go on being told, in seconds.
    package var grace = 20.0

    package init(
        _ statuses: Set<Verdict.Status>, _ culprits: Set<Culprit?>, down: Set<Int> = [], perhaps: Set<Int> = [],
        grace: Double = 20
    ) {
        self.statuses = statuses
        self.culprits = culprits
        mayBeDown = down.union(perhaps)
        isDown = down
        self.grace = grace
    }

    package static let full = Truth([.full], [nil])
}
