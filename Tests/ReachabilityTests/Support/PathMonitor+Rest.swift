import EventLoop

@testable import Reachability

extension PathMonitor {
    /// Whether the drivers are being asked for their carrier.
    var isWatchingCarriers: Bool { session?.carriers.isUnderWay ?? false }

    /// Has the state read anew, and not before a minute is over, as after a dump that took long.
    func needLateRepair() {
        session?.repair.succeeded(from: .now.advanced(by: .seconds(-15)), to: .now)
        session?.repair.need(.interrupted)
    }

    /// Whether no timer is set and nothing is asked: nothing happens until the kernel tells something.
    var isIdle: Bool { session.map { $0.evaluationTimer == nil && !$0.carriers.isUnderWay } ?? true }
}
