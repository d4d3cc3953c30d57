internal import Glibc
public import SystemPackage

/// One thread that waits in `epoll(7)` and runs what becomes due: descriptors that are ready, timers, and Swift jobs.
///
/// It is a `SerialExecutor`: an actor that names it as its executor runs on its thread, and a handler that the loop
/// calls is already isolated to every such actor (`assumeIsolated` holds). With nothing to do the thread sleeps without
/// a time-out, so an idle loop causes no wake-ups. The thread ends when the last reference to the loop is gone.
///
/// All methods may be called from any thread.
public final class EventLoop: SerialExecutor, TaskExecutor {
    private let reactor: Reactor

    /// Starts the loop's thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name as `ps -L` and debuggers show it; the kernel keeps its first 15 bytes.
    ///   - networkNamespace: A descriptor of a network namespace (`/proc/PID/ns/net`) for the thread to enter first, so
    ///     that every socket made on it belongs there. Needs CAP_SYS_ADMIN. It is only borrowed for this call.
    public init(name: String = "netwatch", networkNamespace: FileDescriptor? = nil) throws(EventLoopError) {
        reactor = try Reactor()
        try EventLoopThread.start(name: name, namespace: networkNamespace, reactor: reactor, loop: self)
    }

    deinit {
        reactor.stop()
    }

    // MARK: The end

    /// Lets a caller wait for the thread's end after it has let go of the loop; nil on the loop's own thread.
    package func claimEnd() -> EventLoopEnd? {
        LoopThreads.claim(reactor).map(EventLoopEnd.init)
    }

    /// Has all loops of the process stand still before exit handlers run that were registered earlier than this one. Those of
    /// libraries that were set up before the first loop need no mention.
    package static func haltAllAtExit() {
        LoopThreads.haltAllAtExit()
    }

    /// Whether the process ends: what is asked of a loop would be waited for in vain.
    package static var isProcessEnding: Bool { LoopThreads.isEnding }

    /// Has the present thread wait for what a loop is to send. Where the process ends, the loops stand still, and it
    /// returns without.
    package static func wait(for signal: Signal) {
        LoopThreads.wait(for: signal)
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) {
        reactor.enqueue(Job(UnownedJob(job), ofPreference: false))
    }

    /// Takes a job of a task that prefers this loop, which is told apart from one of an actor's on it.
    @_implements(TaskExecutor,enqueue(_:))
    public func enqueuePreferred(_ job: consuming ExecutorJob) {
        reactor.enqueue(Job(UnownedJob(job), ofPreference: true))
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    public func checkIsolated() {
        precondition(reactor.isCurrentThread, "this code must run on the event loop's thread")
    }

    public func isIsolatingCurrentContext() -> Bool? {
        reactor.isCurrentThread
    }

    /// The runtime takes a call from one actor of this loop to another for a change of executor, and enqueues what could go
    /// on at once, unless the job runs on the very executors that its task asks for (swift_task_switch): on this loop as its
    /// task executor, too, where the task prefers it, and not where it does not.
    func run(_ job: Job) {
        if job.isOfPreference {
            unsafe job.job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        } else {
            unsafe job.job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    // MARK: Descriptors

    /// Calls a handler on the loop's thread whenever the descriptor is ready (level-triggered).
    ///
    /// The descriptor stays the caller's, which must end the watch before closing it.
    public func watch(
        _ descriptor: CInt, for interest: Readiness, handler: @escaping @Sendable (Readiness) -> Void
    ) throws(EventLoopError) -> Watch {
        try reactor.watch(descriptor, for: interest, handler: handler)
    }

    /// Changes what a watch waits for. A watch that has ended is left alone.
    public func update(_ watch: Watch, interest: Readiness) throws(EventLoopError) {
        try reactor.update(watch, interest: interest)
    }

    /// Ends a watch: after this returns on the loop's thread, its handler is not called again. Before its descriptor is closed:
    /// where a child of fork(2) has that, too, closing it tells the kernel nothing (epoll(7)).
    public func end(_ watch: Watch) {
        reactor.end(watch)
    }

    /// How many watches have not ended.
    package var watchCount: Int { reactor.watchCount }

    // MARK: Timers

    /// Calls a handler on the loop's thread once the time has come.
    @discardableResult
    public func schedule(at deadline: MonotonicTime, handler: @escaping @Sendable () -> Void) -> LoopTimer {
        reactor.schedule(at: deadline, handler: handler)
    }

    /// Calls a handler on the loop's thread after a while.
    @discardableResult
    public func schedule(after delay: Duration, handler: @escaping @Sendable () -> Void) -> LoopTimer {
        reactor.schedule(at: .now.advanced(by: delay), handler: handler)
    }

    /// Ends a timer: after this returns on the loop's thread, its handler is not called any more.
    public func cancel(_ timer: LoopTimer) {
        reactor.cancel(timer)
    }

    // MARK: Alarms

    /// Makes an alarm, whose handler is called on the loop's thread each time that it was set to. The loop keeps it until ``end(_:)``.
    package func makeAlarm(handler: @escaping @Sendable () -> Void) -> LoopAlarm {
        reactor.makeAlarm(handler: handler)
    }

    /// Sets an alarm to a time in the place of any that it was set to before, or (nil) to none.
    package func set(_ alarm: LoopAlarm, at deadline: MonotonicTime?) {
        reactor.set(alarm, at: deadline)
    }

    /// Ends an alarm: after this returns on the loop's thread, its handler is not called any more.
    package func end(_ alarm: LoopAlarm) {
        reactor.end(alarm)
    }
}

/// The end of a loop's thread, which its last reference brings about.
package struct EventLoopEnd: Sendable {
    let thread: pthread_t

    /// Waits until the thread has ended, and what other libraries keep for it is freed. To be called once.
    ///
    /// - Returns: Whether it has ended in time.
    @discardableResult
    package func wait(within limit: Duration) -> Bool {
        LoopThreads.join(thread, within: limit)
    }

    /// The same without holding up a thread: another loop's timer looks again and again, whether the task is cancelled or not.
    package func wait(until deadline: MonotonicTime, on other: EventLoop) async {
        while !LoopThreads.joinIfEnded(thread) {
            guard MonotonicTime.now < deadline else {
                pthread_detach(thread)
                return
            }
            await withCheckedContinuation { continuation in
                other.schedule(after: .milliseconds(1)) { continuation.resume() }
            }
        }
    }
}
