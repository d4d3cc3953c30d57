import CTestNamespace
import Glibc
import SystemPackage

/// A program started with `posix_spawn(3)`.
///
/// Not Foundation's `Process`: that takes the closing of an inherited descriptor for the program's end and waits for it
/// on its one thread, so that a daemon which closes descriptors it does not know (dnsmasq) stops every other `Process`.
struct ChildProcess {
    let id: pid_t

    /// A proxy that the machine has for its user has no way into a test's namespace.
    private static let environment =
        ["/usr/bin/env"]
        + ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap { ["-u", $0, "-u", $0.uppercased()] }

    /// Starts a program found on PATH with its three standard streams; it inherits no other descriptor.
    init(_ arguments: [String], input: CInt, output: CInt, error: CInt) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, target) in [(input, 0), (output, 1), (error, 2)] as [(CInt, CInt)] {
            posix_spawn_file_actions_adddup2(&actions, descriptor, target)
        }
        netwatch_test_close_the_rest(&actions)

        // The threads that tests run on block signals, and a program would inherit that and never see SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        // A shell without job control starts the tests in its background with SIGINT ignored, and a program would
        // inherit that, too.
        var interruption = sigset_t()
        sigemptyset(&interruption)
        sigaddset(&interruption, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &interruption)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words: [UnsafeMutablePointer<CChar>?] = (Self.environment + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        var id: pid_t = 0
        let failure = posix_spawn(&id, "/usr/bin/env", &actions, &attributes, words, environ)
        guard failure == 0 else { throw Errno(rawValue: failure) }
        self.id = id
    }

    /// Stands for an exit status that is not to be had, because the program's end was read before: no program ends with it,
    /// and a status of 0 would say that all was well.
    static let lostStatus: Int32 = -1

    /// Waits for the end and returns the exit status; 128 and the signal's number after a signal.
    func wait() -> Int32 {
        var status: Int32 = 0
        while true {
            if waitpid(id, &status, 0) == id { return Self.exitStatus(status) }
            guard errno == EINTR else { return Self.lostStatus }
        }
    }

    /// The exit status if the program has ended; nil while it runs.
    func exitStatusIfEnded() -> Int32? {
        var status: Int32 = 0
        switch waitpid(id, &status, WNOHANG) {
        case id: return Self.exitStatus(status)
        case 0: return nil
        default: return errno == EINTR ? nil : Self.lostStatus
        }
    }

    /// Sends SIGTERM, and SIGKILL to one that has not ended five seconds later; returns the exit status.
    func terminate() -> Int32 {
        kill(id, SIGTERM)
        for _ in 0..<1000 {
            if let status = exitStatusIfEnded() { return status }
            var pause = timespec(tv_sec: 0, tv_nsec: 5_000_000)
            nanosleep(&pause, nil)
        }
        kill(id, SIGKILL)
        return wait()
    }

    private static func exitStatus(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
