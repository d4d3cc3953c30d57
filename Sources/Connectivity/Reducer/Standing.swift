/// How things stand with each target at one moment: a value that nothing changes any more, for any thread.
///
/// To take one costs a few words, whatever the number of targets; to put its event together costs a copy of what is known of
/// each of them, and is done by whoever wants it, while the monitor goes on.
package struct Standing: Sendable {
    private let bare: Event
    private let health: [TargetHealth]
    private let results: [LatestResults]
    /// Where what was told in one word has yet to be worked out for each target: what works it out.
    private let unsettled: [ConnectivityReducer]

    init(
        bare: Event, health: [TargetHealth], results: [LatestResults], unsettled: ConnectivityReducer? = nil
    ) {
        (self.bare, self.health, self.results) = (bare, health, results)
        self.unsettled = unsettled.map { [$0] } ?? []
    }

    /// The snapshot.
    package var event: Event {
        if var reducer = unsettled.first {
            reducer.catchUp()
            return Standing(bare: bare, health: reducer.health, results: results).event
        }
        var event = bare
        event.changes = .all
        event.targets = health.indices.map(presentHealth)
        event.probes = health.indices.flatMap { target in results.compactMap { $0.result(of: target) } }
        return event
    }

    /// What was told of a target, with the time at which it was looked at last: that goes on without an event.
    private func presentHealth(_ target: Int) -> TargetHealth {
        var present = health[target]
        present.checkedMonotonic =
            results.compactMap { $0.result(of: target)?.endMonotonic }.max() ?? present.checkedMonotonic
        return present
    }
}
