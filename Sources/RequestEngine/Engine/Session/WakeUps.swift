import EventLoop

/// What libcurl waits for, as watches of its sockets and one alarm of the loop.
///
/// Called in the middle of libcurl's work, it only tells the loop; the loop's answer enters the pool in a later turn.
/// libcurl changes its mind about the timer several times for each transfer, so that what it wants is only noted, and the
/// loop is told afterwards, and only where its alarm would come too late.
final class WakeUps {
    private let loop: EventLoop
    private let turn: Turn
    let sockets: SocketWatches
    private let alarm: LoopAlarm
    /// What the alarm is set to.
    private var deadline: MonotonicTime?
    /// When libcurl wants to be called.
    private var wanted: MonotonicTime?

    init(loop: EventLoop, turn: Turn, enter: @escaping ConnectionPool.Enter) {
        self.loop = loop
        self.turn = turn
        sockets = SocketWatches(loop: loop, enter: enter)
        alarm = loop.makeAlarm { enter { $0.timeOut() } }
    }

    deinit {
        loop.end(alarm)
    }

    // MARK: The timer

    func setTimer(_ milliseconds: Int?) {
        wanted = milliseconds.map { turn.time.advanced(by: .milliseconds($0)) }
    }

    /// Learns that the alarm has gone off; whether libcurl wanted it by now.
    func alarmFired() -> Bool {
        deadline = nil
        return wanted.map { $0 <= turn.time } ?? false
    }

    /// Learns that libcurl is about to be told the time: if it wants to be called again, it says so anew.
    func timeTold() {
        wanted = nil
    }

    /// Makes the alarm come soon enough. Where nothing runs, it comes only if libcurl wants it.
    func settle(isIdle: Bool) {
        let isSoonEnough =
            switch (deadline, wanted) {
            case (let deadline?, let wanted?): isIdle ? deadline == wanted : deadline <= wanted
            case (nil, let wanted): wanted == nil
            case (_, nil): !isIdle
            }
        guard !isSoonEnough else { return }
        deadline = wanted
        loop.set(alarm, at: wanted)
    }
}
