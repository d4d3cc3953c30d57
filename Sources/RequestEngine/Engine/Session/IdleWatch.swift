import EventLoop

/// Watches for transfers on which nothing moves, for want of bytes or of a connection: one timer for all of them, set to the earliest end of patience.
final class IdleWatch {
    private let loop: EventLoop
    private let enter: ConnectionPool.Enter
    private var timer: (timer: LoopTimer, deadline: MonotonicTime)?

    init(loop: EventLoop, enter: @escaping ConnectionPool.Enter) {
        self.loop = loop
        self.enter = enter
    }

    deinit {
        stop()
    }

    /// Watches a transfer that starts now.
    func watch(_ transfer: Transfer, now: MonotonicTime) {
        if let deadline = nextLook(at: transfer, now: now) { set(deadline) }
    }

    /// Those on which nothing has moved for as long as they may. The others are watched on.
    func overdue(_ transfers: some Sequence<Transfer>, now: MonotonicTime) -> [Transfer] {
        timer = nil
        return transfers.filter { transfer in
            guard let deadline = nextLook(at: transfer, now: now) else { return false }
            if deadline > now { set(deadline) }
            return deadline <= now
        }
    }

    /// When a transfer may be overdue, at the earliest.
    private func nextLook(at transfer: Transfer, now: MonotonicTime) -> MonotonicTime? {
        let idle = transfer.settings.options.timeouts.idle.map { (transfer.idleSince ?? now).advanced(by: $0) }
        guard let idle, let waiting = transfer.waitingDeadline else { return idle ?? transfer.waitingDeadline }
        return min(idle, waiting)
    }

    func stop() {
        if let timer { loop.cancel(timer.timer) }
        timer = nil
    }

    private func set(_ deadline: MonotonicTime) {
        if let timer, timer.deadline <= deadline { return }
        stop()
        timer = (loop.schedule(at: deadline) { [enter] in enter { $0.checkIdleness() } }, deadline)
    }
}
