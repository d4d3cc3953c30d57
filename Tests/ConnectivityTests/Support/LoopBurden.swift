import EventLoop
import Glibc
import Synchronization

/// For how long at a time a loop computed, in which everything else on it had to wait. It is told by the processor time of
/// the loop's thread, so that others that want the processor do not count.
final class LoopBurden: Sendable {
    private struct State {
        var last = LoopBurden.threadTime
        var longest = Duration.zero
        var isEnded = false
    }

    private let loop: EventLoop
    private let state = Mutex(State())

    init(_ loop: EventLoop) {
        self.loop = loop
        loop.schedule(after: .zero) {
            self.state.withLock { $0.last = Self.threadTime }
            self.tick()
        }
    }

    private func tick() {
        let isEnded = state.withLock { state in
            let now = Self.threadTime
            state.longest = max(state.longest, now - state.last)
            state.last = now
            return state.isEnded
        }
        if !isEnded { loop.schedule(after: .microseconds(200)) { self.tick() } }
    }

    /// Ends the watch: the longest that was seen.
    func end() -> Duration {
        state.withLock { state in
            state.isEnded = true
            return state.longest
        }
    }

    /// What a turn may take. This build computes some ten times as long as that for release, for which 5 ms hold.
    static var limit: Duration {
        #if DEBUG
        .milliseconds(60)
        #else
        .milliseconds(5)
        #endif
    }

    private static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
