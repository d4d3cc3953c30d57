import CLinux
import Glibc

/// Where the current thread stands among those that want a processor. Neither needs a privilege, and where the kernel does
/// not know it, or a sandbox refuses it, nothing is lost but that.
package enum ThreadScheduling {
    /// Goes before those that compute at length, once it has something to do: it asks for short turns, which are due sooner
    /// (sched_setattr(2); since Linux 6.12 also while another's turn lasts, kernel/sched/fair.c).
    package static func goFirst() {
        _ = netwatch_set_scheduling(UInt32(NETWATCH_SCHED_OTHER), shortTurn)
    }

    /// Goes behind all others, in turns of the ordinary length, and takes no other thread's place when it has something to do
    /// (SCHED_BATCH, sched(7)): a thread that hands it work on the same processor is not put off until it has done it.
    package static func goLast() {
        _ = netwatch_set_scheduling(UInt32(NETWATCH_SCHED_BATCH), 0)
        _ = setpriority(CInt(PRIO_PROCESS.rawValue), 0, niceness)
    }

    /// The shortest that the kernel grants, in nanoseconds.
    private static let shortTurn: UInt64 = 100_000
    private static let niceness: CInt = 5
}
