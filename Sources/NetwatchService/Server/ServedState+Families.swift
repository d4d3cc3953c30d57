import Connectivity
internal import Netwatch

extension ServedState {
    /// All that `/metrics` shows, from any thread.
    func families(version: String) -> [MetricFamily] {
        let netlink = NetlinkReport(monitor.pathStatistics, monitor.listeningState)
        var families: [MetricFamily] = []
        let event = board.event == nil ? nil : monitor.current
        if let event {
            families = StateMetrics.families(event, targets: monitor.currentConfiguration.targets, version: version)
            histograms.map { families.append($0.family(of: event.targets.map(\.target))) }
        }
        if let origin { families.append(origin.family) }
        families += board.tally.families(at: event) + monitor.statistics.families + netlink.families
        return families + ProcessMetrics.families + OwnMetrics.families
    }
}
