import Glibc

/// What a shell does with a program on its terminal: stop it, and have it go on.
enum JobControl {
    /// Stops this process by a signal of the terminal's, which may be blocked, and returns when it goes on; at once where there
    /// is no shell that could continue it.
    static func stop(by signal: CInt) {
        var stopping = SignalSource.set(of: [signal])
        var before = sigset_t()
        raise(signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &stopping, &before)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
