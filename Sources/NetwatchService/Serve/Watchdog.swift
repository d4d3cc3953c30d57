import EventLoop
import Synchronization

/// Gives the service's manager a sign of life from the watcher's own loop: one that stands still gives none, and is
/// restarted.
final class Watchdog: Sendable {
    private let manager: ServiceManager
    private let interval: Duration
    private let loop: EventLoop
    private let timer = Mutex<LoopTimer?>(nil)

    /// Nil where the manager wants no such sign.
    init?(_ manager: ServiceManager?, loop: EventLoop) {
        guard let manager, let interval = manager.watchdogInterval else { return nil }
        self.manager = manager
        // Twice as often as needed, as sd_watchdog_enabled(3) recommends.
        self.interval = interval / 2
        self.loop = loop
        plan()
    }

    deinit {
        if let timer = timer.withLock({ $0 }) { loop.cancel(timer) }
    }

    private func plan() {
        let next = loop.schedule(after: interval) { [weak self] in
            self?.manager.keepAlive()
            self?.plan()
        }
        timer.withLock { $0 = next }
    }
}
