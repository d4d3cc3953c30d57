import EventLoop

/// What libcurl waits for, as watches and one timer of the loop.
///
/// Called in the middle of libcurl's work, it only tells the loop; the loop's answer enters the pool in a later turn.
/// libcurl changes its mind about the timer several times for each transfer, so that what it wants is only noted, and the
/// loop is told afterwards, and only where its timer would come too late.
final class WakeUps {
    private let loop: EventLoop
    private let turn: Turn
    private let enter: ConnectionPool.Enter
    private var watches: [CInt: Watch] = [:]
    private var timer: (timer: Timer, deadline: MonotonicTime)?
    /// When libcurl wants to be called.
    private var wanted: MonotonicTime?

    init(loop: EventLoop, turn: Turn, enter: @escaping ConnectionPool.Enter) {
        self.loop = loop
        self.turn = turn
        self.enter = enter
    }

    deinit {
        watches.values.forEach(loop.end)
        stopTimer()
    }

    // MARK: Descriptors

    func wait(for descriptor: CInt, _ interest: MultiHandle.Interest?) {
        guard let interest else { return end(descriptor) }
        do throws(EventLoopError) {
            if let watch = watches[descriptor] {
                try loop.update(watch, interest: interest.readiness)
            } else {
                watches[descriptor] = try watch(descriptor, interest.readiness)
            }
        } catch {
            // The descriptor cannot be waited for: libcurl finds out what is wrong with it when it is told so.
            loop.schedule(after: .zero) { [enter] in enter { $0.ready(descriptor, .failed) } }
        }
    }

    private func watch(_ descriptor: CInt, _ interest: Readiness) throws(EventLoopError) -> Watch {
        try loop.watch(descriptor, for: interest) { [enter] readiness in
            enter { $0.ready(descriptor, readiness) }
        }
    }

    private func end(_ descriptor: CInt) {
        if let watch = watches.removeValue(forKey: descriptor) { loop.end(watch) }
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

extension MultiHandle.Interest {
    fileprivate var readiness: Readiness {
        switch self {
        case .readable: .readable
        case .writable: .writable
        case .both: [.readable, .writable]
        }
    }
}
