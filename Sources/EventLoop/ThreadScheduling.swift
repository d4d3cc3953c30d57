import CLinux
import Glibc

/// Where the current thread stands among those that want a processor. Neither needs a privilege, and where the kernel does
/// not know it, or a sandbox refuses it, nothing is lost but that.
package enum ThreadScheduling {
    /// Goes before those that compute at length, once it has something to do: it asks for short turns, which are due sooner
    /// (sched_setattr(2); since Linux 6.12 also while another's turn lasts, kernel/sched/fair.c).
    package static func goFirst() {
        _ = netwatch_set_slice(shortTurn)
    }

    /// Goes behind all others, in turns of the ordinary length.
    package static func goLast() {
        _ = netwatch_set_slice(0)
        _ = setpriority(CInt(PRIO_PROCESS.rawValue), 0, niceness)
    }

    /// The shortest that the kernel grants, in nanoseconds.
    private static let shortTurn: UInt64 = 100_000
    private static let niceness: CInt = 5
}
