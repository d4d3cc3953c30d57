package import SystemPackage

/// What a test makes one receive call do instead of the real thing: the way to see faults that the kernel shows only
/// under conditions a test cannot make.
package enum ReceiveFault: Hashable, Sendable {
    /// The call works.
    case none
    /// The call fails with this error; nothing is read.
    case failure(Errno)
    /// The datagram was longer than the buffer, and is lost.
    case truncation
    /// The datagram's first message says that the dump was interrupted (NLM_F_DUMP_INTR).
    case dumpInterruption
}
