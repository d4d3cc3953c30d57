import CNetlink
import Glibc

/// One received datagram: the buffer that `nl_recv` allocated, and its sender.
@safe
struct Datagram: ~Copyable {
    private let base: UnsafeMutablePointer<UInt8>
    private let count: Int
    /// The netlink port of the sender. The kernel's is 0, and no process can have it.
    let senderPort: UInt32

    init(adopting base: UnsafeMutablePointer<UInt8>, count: Int, senderPort: UInt32) {
        unsafe self.base = base
        self.count = count
        self.senderPort = senderPort
    }

    deinit {
        unsafe free(base)
    }

    var isFromKernel: Bool { senderPort == 0 }

    /// The bytes, for as long as the datagram lives.
    func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeBufferPointer(start: base, count: count).span)
    }
}
