import EventLoop

/// Watches for transfers on which nothing moves, for want of bytes or of a connection: one alarm for all of them, set to the earliest end of patience.
final class IdleWatch {
    private let loop: EventLoop
    private let alarm: LoopAlarm
    /// What the alarm is set to.
    private var deadline: MonotonicTime?

    init(loop: EventLoop, enter: @escaping ConnectionPool.Enter) {
        self.loop = loop
        alarm = loop.makeAlarm { enter { $0.checkIdleness() } }
    }

    deinit {
        loop.end(alarm)
    }

    /// Watches a transfer that starts now.
    func watch(_ transfer: Transfer, now: MonotonicTime) {
        if let deadline = nextLook(at: transfer, now: now) { watch(until: deadline) }
    }

    /// Those on which nothing has moved for as long as they may. The others are watched on.
    func overdue(_ transfers: some Sequence<Transfer>, now: MonotonicTime) -> [Transfer] {
        deadline = nil
        return transfers.filter { transfer in
            guard let deadline = nextLook(at: transfer, now: now) else { return false }
            if deadline > now { watch(until: deadline) }
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
        guard deadline != nil else { return }
        set(nil)
    }

    private func watch(until next: MonotonicTime) {
        if let deadline, deadline <= next { return }
        set(next)
    }

    private func set(_ next: MonotonicTime?) {
        deadline = next
        loop.set(alarm, at: next)
    }
}
