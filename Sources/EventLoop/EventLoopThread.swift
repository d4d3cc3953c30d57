import CLinux
import Glibc
import SystemPackage

/// The thread of a loop: made once, ended by the loop's last reference, joined by ``LoopThreads``.
enum EventLoopThread {
    /// What the new thread is given, and where it reports that it has started.
    private final class Launch {
        let name: String
        let namespace: CInt?
        let reactor: Reactor
        let started: CInt
        weak var loop: EventLoop?

        init(name: String, namespace: CInt?, reactor: Reactor, started: CInt, loop: EventLoop) {
            self.name = name
            self.namespace = namespace
            self.reactor = reactor
            self.started = started
            self.loop = loop
        }
    }

    /// Starts the thread and waits until it is inside its namespace and ready.
    static func start(
        name: String, namespace: FileDescriptor?, reactor: Reactor, loop: EventLoop
    ) throws(EventLoopError) {
        let started = eventfd(0, CInt(EFD_CLOEXEC))
        guard started >= 0 else { throw .setup(call: "eventfd", Errno(rawValue: errno)) }
        defer { close(started) }
        let launch = Launch(
            name: name, namespace: namespace?.rawValue, reactor: reactor, started: started, loop: loop)
        try create(launch)
        var report: UInt64 = 0
        while unsafe read(started, &report, MemoryLayout<UInt64>.size) < 0 && errno == EINTR {}
        guard report == 1 else { throw .namespace(Errno(rawValue: CInt(truncatingIfNeeded: report) - 1)) }
    }

    private static func create(_ launch: Launch) throws(EventLoopError) {
        let argument = unsafe Unmanaged.passRetained(launch)
        var thread = pthread_t()
        // A new thread has its maker's mask.
        let before = blockSignals()
        defer { restoreSignals(before) }
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe EventLoopThread.main(Unmanaged<Launch>.fromOpaque(argument).takeRetainedValue())
                return nil
            }, unsafe argument.toOpaque())
        guard result == 0 else {
            unsafe argument.release()
            throw .setup(call: "pthread_create", Errno(rawValue: result))
        }
    }

    /// Signals are the program's, for its own threads to take; those that a fault of a thread's own raises stay its own.
    ///
    /// - Returns: What was blocked before.
    private static func blockSignals() -> sigset_t {
        var (blocked, before) = (sigset_t(), sigset_t())
        unsafe sigfillset(&blocked)
        for own in [SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP, SIGPROF] { unsafe sigdelset(&blocked, own) }
        unsafe pthread_sigmask(SIG_SETMASK, &blocked, &before)
        return before
    }

    private static func restoreSignals(_ before: sigset_t) {
        var mask = before
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    private static func main(_ launch: Launch) {
        unsafe pthread_setname_np(pthread_self(), String(decoding: launch.name.utf8.prefix(15), as: UTF8.self))
        launch.reactor.adoptCurrentThread()
        LoopThreads.begin(launch.reactor)
        defer { LoopThreads.end(launch.reactor) }
        let failure = enter(launch.namespace)
        var report = UInt64(failure) + 1
        _ = unsafe write(launch.started, &report, MemoryLayout<UInt64>.size)
        guard failure == 0 else { return }
        while launch.reactor.turn({ launch.loop }) {}
    }

    private static func enter(_ namespace: CInt?) -> CInt {
        guard let namespace else { return 0 }
        return setns(namespace, CLONE_NEWNET) == 0 ? 0 : errno
    }
}
