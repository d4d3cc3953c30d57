import Glibc
import Synchronization

/// What a shell does with a program on its terminal: stop it, and have it go on.
enum JobControl {
    /// Whether a signal that ends the program was read.
    private static let hasReadEnd = Atomic(false)

    /// Whether the program is about to end: what its terminal asks for means nothing any more.
    static var isEnding: Bool { hasReadEnd.load(ordering: .relaxed) }

    /// Notes that a signal that ends the program was read.
    static func beginEnd() {
        hasReadEnd.store(true, ordering: .relaxed)
    }

    /// Whether a signal that ends the program was read, or waits to be read.
    private static var isToEnd: Bool {
        if isEnding { return true }
        var pending = sigset_t()
        guard unsafe sigpending(&pending) == 0 else { return false }
        return SignalSource.ends.contains { unsafe sigismember(&pending, $0) == 1 }
    }

    /// Stops this process by a signal of the terminal's, which may be blocked, and returns when it goes on; at once
    /// where there is no shell that could continue it, and where the program is to end: a shell that ends a stopped job
    /// has it go on only once.
    static func stop(by signal: CInt) {
        guard !isToEnd else { return }
        var stopping = SignalSource.set(of: [signal])
        var before = sigset_t()
        raise(signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &stopping, &before)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
