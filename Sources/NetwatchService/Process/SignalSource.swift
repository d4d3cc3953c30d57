import CLinux
package import EventLoop
import Glibc
import SystemPackage

/// Signals as events of the loop, by `signalfd(2)`.
///
/// Not by Dispatch: its thread pool, once used, wakes up once a second for as long as the process lives.
package final class SignalSource: Sendable {
    private static let messageSize = MemoryLayout<signalfd_siginfo>.size

    /// The signals that end a program in order. One that is started with SIGHUP ignored outlives its terminal
    /// (nohup(1)); with SIGINT ignored it is in the background of a shell without job control, whose Ctrl-C is not meant
    /// for it.
    package static var ends: [CInt] { [SIGINT, SIGTERM, SIGHUP].filter { $0 == SIGTERM || !isIgnored($0) } }

    private let loop: EventLoop
    private let descriptor: CInt
    private let watch: Watch

    /// Keeps signals from their default action in this thread and in those it starts from now on.
    package static func block(_ signals: [CInt]) {
        var set = set(of: signals)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls a handler on the loop's thread for each signal. The signals must be blocked in every thread.
    package init(
        _ signals: [CInt], loop: EventLoop, handler: @escaping @Sendable (CInt) -> Void
    ) throws(EventLoopError) {
        var set = Self.set(of: signals)
        let descriptor = unsafe signalfd(-1, &set, CInt(SFD_NONBLOCK) | CInt(SFD_CLOEXEC))
        guard descriptor >= 0 else { throw .setup(call: "signalfd", Errno(rawValue: errno)) }
        self.loop = loop
        self.descriptor = descriptor
        do {
            watch = try loop.watch(descriptor, for: .readable) { _ in
                while let signal = Self.next(descriptor) { handler(signal) }
            }
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        loop.end(watch)
        close(descriptor)
    }

    private static func next(_ descriptor: CInt) -> CInt? {
        var message = signalfd_siginfo()
        let count = unsafe read(descriptor, &message, messageSize)
        return count == messageSize ? CInt(bitPattern: message.ssi_signo) : nil
    }

    static func isIgnored(_ signal: CInt) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    static func set(of signals: [CInt]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        signals.forEach { unsafe sigaddset(&set, $0) }
        return set
    }
}
