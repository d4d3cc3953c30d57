@testable import Reachability

extension PathMonitor {
    /// Whether the drivers are being asked for their carrier.
    var isWatchingCarriers: Bool { session?.carriers.isUnderWay ?? false }

    /// Whether no timer is set and nothing is asked: nothing happens until the kernel tells something.
    var isIdle: Bool { session.map { $0.evaluationTimer == nil && !$0.carriers.isUnderWay } ?? true }
}
