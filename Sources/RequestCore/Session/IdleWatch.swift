import EventLoop

/// Watches for transfers on which nothing moves: one timer for all of them, set to the earliest end of patience.
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
        guard let limit = transfer.settings.timeouts.idle else { return }
        set(now.advanced(by: limit))
    }

    /// Those on which nothing has moved for as long as they may. The others are watched on.
    func overdue(_ transfers: some Sequence<Transfer>, now: MonotonicTime) -> [Transfer] {
        timer = nil
        var overdue: [Transfer] = []
        for transfer in transfers {
            guard let limit = transfer.settings.timeouts.idle else { continue }
            let deadline = (transfer.idleSince ?? now).advanced(by: limit)
            if deadline <= now, transfer.idleSince != nil { overdue.append(transfer) } else { set(deadline) }
        }
        return overdue
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
