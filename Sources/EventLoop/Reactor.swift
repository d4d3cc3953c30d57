import DequeModule
import Glibc
import Synchronization
import SystemPackage

/// The loop's state and its turn: what its thread does between two sleeps. The thread owns it; ``EventLoop`` is its face.
final class Reactor: Sendable {
    private struct State {
        var jobs: Deque<Job> = []
        var timers = TimerQueue()
        var watchHandlers: [UInt64: @Sendable (Readiness) -> Void] = [:]
        var nextID: UInt64 = 1
        var isAsleep = false
        var isStopping = false
        /// Where to tell that the loop stands still; nil while it has not been asked to.
        var haltReport: Signal?
        var hasEnded = false

        mutating func makeID() -> UInt64 {
            defer { nextID += 1 }
            return nextID
        }
    }

    /// How many times at most the jobs that wait are run before the kernel is asked again.
    private static let roundsATurn = 16

    private let epoll: Epoll
    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)
    private let isHalted = Atomic<Bool>(false)

    init() throws(EventLoopError) {
        epoll = try Epoll()
    }

    /// How many descriptors are watched now.
    var watchCount: Int { state.withLock { $0.watchHandlers.count } }

    var isCurrentThread: Bool {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    func adoptCurrentThread() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
    }

    // MARK: Requests, from any thread

    func enqueue(_ job: Job) {
        wakeUpIfNeeded { $0.jobs.append(job) }
    }

    func stop() {
        wakeUpIfNeeded { $0.isStopping = true }
    }

    /// Has the loop stand still for good once its turn is over, and tell so then; at once where it has ended.
    func halt(reportingTo report: Signal) {
        isHalted.store(true, ordering: .relaxed)
        let hasEnded = wakeUpIfNeeded { state in
            state.haltReport = report
            return state.hasEnded
        }
        if hasEnded { report.send() }
    }

    func schedule(at deadline: MonotonicTime, handler: @escaping @Sendable () -> Void) -> LoopTimer {
        wakeUpIfNeeded { $0.timers.schedule($0.makeID(), at: deadline, TimerQueue.Handler(call: handler)) }
    }

    func cancel(_ timer: LoopTimer) {
        drop(timer.id)
    }

    func makeAlarm(handler: @escaping @Sendable () -> Void) -> LoopAlarm {
        state.withLock { state in
            let alarm = LoopAlarm(id: state.makeID())
            state.timers.addAlarm(alarm.id, TimerQueue.Handler(call: handler))
            return alarm
        }
    }

    func set(_ alarm: LoopAlarm, at deadline: MonotonicTime?) {
        wakeUpIfNeeded { $0.timers.setAlarm(alarm.id, at: deadline) }
    }

    func end(_ alarm: LoopAlarm) {
        drop(alarm.id)
    }

    private func drop(_ timer: UInt64) {
        let dropped = state.withLock { $0.timers.remove(timer) }
        _ = dropped  // Released outside of the lock.
    }

    func watch(
        _ descriptor: CInt, for interest: Readiness, handler: @escaping @Sendable (Readiness) -> Void
    ) throws(EventLoopError) -> Watch {
        let watch = state.withLock { state in
            let watch = Watch(id: state.makeID(), descriptor: descriptor)
            state.watchHandlers[watch.id] = handler
            return watch
        }
        do throws(EventLoopError) {
            try epoll.add(watch, interest: interest)
        } catch {
            dropHandler(of: watch)
            throw error
        }
        return watch
    }

    func update(_ watch: Watch, interest: Readiness) throws(EventLoopError) {
        guard state.withLock({ $0.watchHandlers[watch.id] != nil }) else { return }
        try epoll.modify(watch, interest: interest)
    }

    func end(_ watch: Watch) {
        guard dropHandler(of: watch) else { return }
        epoll.remove(watch)
    }

    @discardableResult
    private func dropHandler(of watch: Watch) -> Bool {
        state.withLock { $0.watchHandlers.removeValue(forKey: watch.id) } != nil
    }

    private func wakeUpIfNeeded<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, isAsleep) = state.withLock { state in
            let result = change(&state)
            defer { state.isAsleep = false }
            return (result, state.isAsleep)
        }
        if isAsleep { epoll.wakeUp() }
        return result
    }

    // MARK: The turn, on the loop's thread

    /// Sleeps until something is due and does it; false once the loop is to end.
    ///
    /// - Parameter loop: Gives the loop, which must stay alive while its jobs run; nil when it is gone.
    func turn(_ loop: () -> EventLoop?) -> Bool {
        if isHalted.load(ordering: .relaxed) { standStill() }
        var living: EventLoop?
        epoll.wait(until: prepareToSleep()) {
            living = loop()
            return living != nil
        } _: {
            handle($0)
        }
        guard let loop = living else { return discardHandlers() }
        runDueTimers()
        runJobs(on: loop)
        return true
    }

    /// When to wake up at the latest: at once, at the next timer, or (nil) never.
    private func prepareToSleep() -> MonotonicTime? {
        state.withLock { state in
            guard state.jobs.isEmpty, !state.isStopping, state.haltReport == nil else {
                return MonotonicTime(nanoseconds: 0)
            }
            state.isAsleep = true
            return state.timers.nextDeadline()
        }
    }

    private func handle(_ event: Epoll.Event) {
        // Looked up only now: an earlier event of the same turn may have ended this watch.
        let handler = state.withLock { state in
            state.isAsleep = false
            return state.watchHandlers[event.id]
        }
        handler?(event.readiness)
    }

    private func runDueTimers() {
        let now = MonotonicTime.now
        while let handler = nextDueTimer(now) { handler.call() }
    }

    private func nextDueTimer(_ now: MonotonicTime) -> TimerQueue.Handler? {
        state.withLock { state in
            state.isAsleep = false
            return state.timers.nextDue(at: now)
        }
    }

    /// Runs the jobs that wait, and those that they enqueue, which costs no system call in between. What is left after so
    /// many rounds runs in the next turn, so that jobs never starve descriptors and timers.
    private func runJobs(on loop: EventLoop) {
        for _ in 0..<Self.roundsATurn {
            let jobs = state.withLock { exchange(&$0.jobs, with: []) }
            guard !jobs.isEmpty else { return }
            for job in jobs { loop.run(job) }
        }
    }

    private func standStill() -> Never {
        reportHalt()
        while true { pause() }
    }

    /// Tells the thread that has asked for it that this loop does nothing more.
    func reportHalt() {
        let report = state.withLock { state in
            state.hasEnded = true
            return state.haltReport
        }
        report?.send()
    }

    private func discardHandlers() -> Bool {
        let handlers = state.withLock { state in
            defer { state.watchHandlers = [:] }
            return (state.watchHandlers, state.timers.removeAll())
        }
        _ = handlers  // Released outside of the lock: what they hold may end timers and watches in turn.
        return false
    }
}
