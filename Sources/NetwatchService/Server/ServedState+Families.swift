#if Service
import Connectivity

extension ServedState {
    /// All that `/metrics` shows, from any thread.
    func families(version: String) -> [MetricFamily] {
        let netlink = NetlinkReport(monitor.pathStatistics, monitor.listeningState)
        let ofState = board.event == nil ? [] : StateMetrics.families(monitor.current, version: version)
        return ofState + (origin.map { [$0.family] } ?? []) + board.tally.families() + monitor.statistics.families
            + netlink.families + registry.families()
    }
}
#endif
