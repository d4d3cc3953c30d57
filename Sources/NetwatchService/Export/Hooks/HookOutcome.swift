import Glibc
import SystemPackage

/// How a run of a hook has ended.
enum HookOutcome: Hashable, Sendable {
    case exited(CInt)
    case killed(signal: CInt)
    /// It ran for too long, and was ended.
    case timedOut(Duration)
    case notStarted(Errno)

    /// - Parameter status: As waitpid(2) gives it.
    init(status: CInt) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    }

    var isSuccess: Bool { self == .exited(0) }

    /// What is told of it, after the program's path.
    var words: String {
        switch self {
        case .exited(0): "does its work"
        case .exited(let status): "ends with the status \(status)"
        case .killed(let signal): unsafe "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .timedOut(let limit): "was still running after \(limit.components.seconds) s and was ended"
        case .notStarted(let error): "cannot be run: \(error)"
        }
    }
}
