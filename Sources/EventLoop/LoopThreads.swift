import CLinux
import Glibc
import Synchronization

/// The threads of all loops of this process: they are stood still before the process ends, and joined when they have ended.
///
/// exit(3) runs the exit handlers of other libraries on one thread while the others go on. What a loop lets go of meanwhile, a
/// TLS connection for example, would be freed twice: by the loop, and by the library that tidies itself up.
enum LoopThreads {
    private struct Member {
        let thread: pthread_t
        let reactor: Reactor
        /// Another thread waits for its end, and joins it.
        var isClaimed = false
        var hasEnded = false
    }

    private static let members = ProcessMutex<[Member]>([])

    /// What other threads wait for.
    private static let waits = ProcessMutex<[Signal]>([])

    /// The process that ends; 0 while none does. A child of fork(2) is another.
    private static let endingProcess = Atomic<pid_t>(0)

    /// How long the end of the process may wait for what the loops are doing.
    private static let patience: Duration = .seconds(1)

    /// Until when it may. The first exit handler that looks sets it for all.
    private static let exitDeadline = MonotonicTime.now.advanced(by: patience)

    private static let isRegistered: Bool = {
        _ = ForkedThread.firstProcess
        haltAllAtExit()
        return true
    }()

    // MARK: On a loop's thread

    /// The first thing that a loop's thread does.
    static func begin(_ reactor: Reactor) {
        _ = isRegistered
        let member = Member(thread: pthread_self(), reactor: reactor)
        members.withLock { $0.append(member) }
    }

    /// The last thing that a loop's thread does. It joins those that have ended before; one at most is left to be joined.
    static func end(_ reactor: Reactor) {
        let ended = members.withLock { members in
            let ended = members.filter(\.hasEnded)
            members.removeAll { $0.hasEnded }
            if let own = members.firstIndex(where: { $0.reactor === reactor }) {
                if members[own].isClaimed { members.remove(at: own) } else { members[own].hasEnded = true }
            }
            return ended
        }
        reactor.reportHalt()
        for member in ended { pthread_join(member.thread, nil) }
    }

    // MARK: From other threads

    /// Leaves it to the caller to join a loop's thread; nil where that is the present thread. Until it has ended, it
    /// stands still at exit as all do.
    static func claim(_ reactor: Reactor) -> pthread_t? {
        guard !reactor.isCurrentThread else { return nil }
        return members.withLock { members in
            guard let index = members.firstIndex(where: { $0.reactor === reactor }), !members[index].isClaimed else {
                return nil
            }
            let thread = members[index].thread
            if members[index].hasEnded { members.remove(at: index) } else { members[index].isClaimed = true }
            return thread
        }
    }

    /// Waits until a thread that was claimed has ended, and all that other libraries keep for it is freed.
    ///
    /// - Returns: Whether it has ended in time. If not, it is left to itself.
    static func join(_ thread: pthread_t, within limit: Duration) -> Bool {
        var deadline = timespec(.now.advanced(by: limit))
        if unsafe pthread_clockjoin_np(thread, nil, CLOCK_MONOTONIC, &deadline) == 0 { return true }
        pthread_detach(thread)
        return false
    }

    /// Joins a thread that was claimed if it has ended.
    static func joinIfEnded(_ thread: pthread_t) -> Bool {
        pthread_tryjoin_np(thread, nil) == 0
    }

    /// Waits for what a loop is to send. The end of the process ends the wait, too.
    static func wait(for signal: Signal) {
        waits.withLock { $0.append(signal) }
        // Looked at only now: what comes too late to be sent at the end finds that the process ends.
        if !isEnding { signal.wait() }
        waits.withLock { $0.removeAll { $0 === signal } }
    }

    // MARK: The end of the process

    /// Whether the process ends, and its loops stand still or will soon.
    static var isEnding: Bool { endingProcess.load(ordering: .acquiring) == getpid() }

    /// Has ``haltAll()`` called before the exit handlers that were registered earlier than this one. It may be said again.
    static func haltAllAtExit() {
        atexit { ForkedThread.avoid { LoopThreads.haltAll() } }
    }

    /// Has every loop stand still after the turn that it is in, for good, and ends what others wait for. Called when
    /// the process ends.
    static func haltAll() {
        endingProcess.store(getpid(), ordering: .releasing)
        haltMembers()
        // Last: a thread that waits for the end of a callback may free what that uses.
        for signal in valueAtExit(of: waits) ?? [] { signal.send() }
    }

    private static func haltMembers() {
        let others = (valueAtExit(of: members) ?? []).filter { !$0.reactor.isCurrentThread }
        guard !others.isEmpty else { return }
        let report = Signal()
        for member in others { member.reactor.halt(reportingTo: report) }
        for _ in others where !report.wait(until: exitDeadline) { return }
        let ended = members.withLockIfAvailable { members in
            defer { members.removeAll { $0.hasEnded } }
            return members.filter(\.hasEnded)
        }
        for member in ended ?? [] {
            _ = join(member.thread, within: max(.zero, MonotonicTime.now.duration(to: exitDeadline)))
        }
    }

    private static func valueAtExit<Value: Sendable>(of mutex: ProcessMutex<Value>) -> Value? {
        for _ in 0..<100 {
            if let value = mutex.withLockIfAvailable({ $0 }) { return value }
            // The process ends: there is no loop left to wait on, and a lock that is held is given back within microseconds.
            usleep(1000)
        }
        return nil
    }
}

extension timespec {
    init(_ time: MonotonicTime) {
        self.init(tv_sec: Int(time.nanoseconds / 1_000_000_000), tv_nsec: Int(time.nanoseconds % 1_000_000_000))
    }
}
