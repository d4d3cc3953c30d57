import CNetlink
import Glibc

/// One received datagram: the buffer that `nl_recv` allocated, and its sender.
struct Datagram: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let count: Int
    /// The netlink port of the sender. The kernel's is 0, and no process can have it.
    let senderPort: UInt32

    init(adopting base: UnsafeMutableRawPointer, count: Int, senderPort: UInt32) {
        self.base = base
        self.count = count
        self.senderPort = senderPort
    }

    deinit {
        free(base)
    }

    var isFromKernel: Bool { senderPort == 0 }

    /// The bytes, for as long as the datagram lives.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Marks the first message as part of an interrupted dump, as a scripted fault.
    func markInterrupted() {
        guard count >= MemoryLayout<nlmsghdr>.size else { return }
        base.assumingMemoryBound(to: nlmsghdr.self).pointee.nlmsg_flags |= UInt16(NLM_F_DUMP_INTR)
    }
}
