import CLinux
import Glibc

/// The threads of all loops of this process: they are stood still before the process ends, and joined when they have ended.
///
/// exit(3) runs the exit handlers of other libraries on one thread while the others go on. What a loop lets go of meanwhile, a
/// TLS connection for example, would be freed twice: by the loop, and by the library that tidies itself up.
enum LoopThreads {
    private struct Member {
        let thread: pthread_t
        let reactor: Reactor
        var hasEnded = false
    }

    private static let members = ProcessMutex<[Member]>([])

    /// How long the end of the process may wait for what the loops are doing.
    private static let patience: Duration = .seconds(1)

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
            if let own = members.firstIndex(where: { $0.reactor === reactor }) { members[own].hasEnded = true }
            return ended
        }
        reactor.reportHalt()
        for member in ended { pthread_join(member.thread, nil) }
    }

    // MARK: From other threads

    /// Leaves it to the caller to join a loop's thread; nil where that is the present thread.
    static func claim(_ reactor: Reactor) -> pthread_t? {
        guard !reactor.isCurrentThread else { return nil }
        return members.withLock { members in
            let index = members.firstIndex { $0.reactor === reactor }
            return index.map { members.remove(at: $0).thread }
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

    /// Has ``haltAll()`` called before the exit handlers that were registered earlier than this one. It may be said again.
    static func haltAllAtExit() {
        atexit { ForkedThread.avoid { LoopThreads.haltAll() } }
    }

    /// Has every loop stand still after the turn that it is in, for good. Called when the process ends.
    static func haltAll() {
        guard let members = membersAtExit(), !members.isEmpty else { return }
        let report = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE))
        guard report >= 0 else { return }
        let deadline = MonotonicTime.now.advanced(by: patience)
        for member in members { member.reactor.halt(reportingTo: report) }
        for _ in members where !awaitReport(report, until: deadline) { return }
        let ended = self.members.withLockIfAvailable { members in
            defer { members.removeAll { $0.hasEnded } }
            return members.filter(\.hasEnded)
        }
        for member in ended ?? [] {
            _ = join(member.thread, within: max(.zero, MonotonicTime.now.duration(to: deadline)))
        }
    }

    /// Those but the present thread.
    private static func membersAtExit() -> [Member]? {
        for _ in 0..<100 {
            let found = members.withLockIfAvailable { members in
                members.filter { !$0.reactor.isCurrentThread }
            }
            if let found { return found }
            // The process ends: there is no loop left to wait on, and a lock that is held is given back within microseconds.
            usleep(1000)
        }
        return nil
    }

    private static func awaitReport(_ report: CInt, until deadline: MonotonicTime) -> Bool {
        while true {
            var count: UInt64 = 0
            if unsafe read(report, &count, MemoryLayout<UInt64>.size) > 0 { return true }
            let left = MonotonicTime.now.duration(to: deadline)
            guard left > .zero else { return false }
            var request = pollfd(fd: report, events: Int16(POLLIN), revents: 0)
            unsafe poll(&request, 1, CInt(left / .milliseconds(1)) + 1)
        }
    }
}

extension timespec {
    fileprivate init(_ time: MonotonicTime) {
        self.init(tv_sec: Int(time.nanoseconds / 1_000_000_000), tv_nsec: Int(time.nanoseconds % 1_000_000_000))
    }
}
