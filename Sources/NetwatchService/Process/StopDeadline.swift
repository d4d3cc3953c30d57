import Glibc

/// The end of a program that cannot end in order: where the kernel gives it no more threads, Dispatch tries again for ever, on
/// whatever thread has asked for one.
enum StopDeadline {
    private static let seconds: CUnsignedInt = 20

    /// Ends the process when so much time has passed. By a signal, as any thread may be held up.
    static func begin() {
        signal(SIGALRM) { _ in
            let words: StaticString = "netwatch: what is under way does not end within 20 s; it is given up\n"
            if StandardStreams.takesErrors(within: 0) {
                _ = unsafe write(2, words.utf8Start, words.utf8CodeUnitCount)
            }
            _exit(ExitStatus.systemError.rawValue)
        }
        // To be told once more does not put it off.
        let left = alarm(seconds)
        if left > 0 { alarm(left) }
    }
}
