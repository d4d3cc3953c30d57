import EventLoop

/// What libcurl waits for, as watches of its sockets and one timer of the loop.
///
/// Called in the middle of libcurl's work, it only tells the loop; the loop's answer enters the pool in a later turn.
/// libcurl changes its mind about the timer several times for each transfer, so that what it wants is only noted, and the
/// loop is told afterwards, and only where its timer would come too late.
final class WakeUps {
    private let loop: EventLoop
    private let turn: Turn
    private let enter: ConnectionPool.Enter
    let sockets: SocketWatches
    private var timer: (timer: LoopTimer, deadline: MonotonicTime)?
    /// When libcurl wants to be called.
    private var wanted: MonotonicTime?

    init(loop: EventLoop, turn: Turn, enter: @escaping ConnectionPool.Enter) {
        self.loop = loop
        self.turn = turn
        self.enter = enter
        sockets = SocketWatches(loop: loop, enter: enter)
    }

    deinit {
        stopTimer()
    }

    // MARK: The timer

    func setTimer(_ milliseconds: Int?) {
        wanted = milliseconds.map { turn.time.advanced(by: .milliseconds($0)) }
    }

    /// Learns that the loop's timer has gone off; whether libcurl wanted it by now.
    func timerFired() -> Bool {
        timer = nil
        return wanted.map { $0 <= turn.time } ?? false
    }

    /// Learns that libcurl is about to be told the time: if it wants to be called again, it says so anew.
    func timeTold() {
        wanted = nil
    }

    /// Makes the loop's timer come soon enough. Where nothing runs, it comes only if libcurl wants it.
    func settle(isIdle: Bool) {
        guard let wanted else {
            if isIdle { stopTimer() }
            return
        }
        if let timer, isIdle ? timer.deadline == wanted : timer.deadline <= wanted { return }
        stopTimer()
        timer = (loop.schedule(at: wanted) { [enter] in enter { $0.timeOut() } }, wanted)
    }

    private func stopTimer() {
        if let timer { loop.cancel(timer.timer) }
        timer = nil
    }
}
