import Connectivity
internal import Netwatch

extension ServedState {
    /// All that `/metrics` shows, from any thread.
    func families(version: String) -> [MetricFamily] {
        let netlink = NetlinkReport(monitor.pathStatistics, monitor.listeningState)
        var families: [MetricFamily] = []
        if board.event != nil {
            let event = monitor.current
            families = StateMetrics.families(event, targets: monitor.currentConfiguration.targets, version: version)
            histograms.map { families.append($0.family(of: event.targets.map(\.target))) }
        }
        if let origin { families.append(origin.family) }
        families += board.tally.families() + monitor.statistics.families + netlink.families
        return families + ProcessMetrics.families + registry.families()
    }
}
