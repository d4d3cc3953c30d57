@testable import Reachability

extension PathMonitor {
    /// Whether the drivers are being asked for their carrier.
    var isWatchingCarriers: Bool { session?.carrierWatch.isOpen ?? false }

    /// Whether no timer is set: nothing happens until the kernel tells something.
    var isIdle: Bool { session.map { $0.evaluationTimer == nil && $0.carrierTimer == nil } ?? true }
}
