import CNetlink
import Glibc
import SystemPackage

/// Room for some datagrams, into which one system call reads as many as are there.
struct DatagramBuffer: Sendable {
    /// A datagram as it lies in the buffer.
    struct View: ~Escapable {
        /// Nil where it was longer than the room for it.
        let bytes: Span<UInt8>?
        /// The netlink port of the sender. The kernel's is 0, and no process can have it.
        let senderPort: UInt32

        var isFromKernel: Bool { senderPort == 0 }

        @_lifetime(copy bytes)
        init(bytes: Span<UInt8>?, senderPort: UInt32) {
            self.bytes = bytes
            self.senderPort = senderPort
        }
    }

    /// What a call came to.
    enum Outcome: Hashable {
        case received(Int)
        /// There is nothing to read (EAGAIN).
        case empty
        /// The kernel dropped messages (ENOBUFS).
        case overrun
        case failed(Errno)
    }

    /// For how many datagrams there is room.
    let capacity: Int
    private let size: Int
    private var bytes: [UInt8]

    /// - Parameters:
    ///   - capacity: For how many datagrams there is to be room, at most 64.
    ///   - size: How long each may be.
    init(capacity: Int, size: Int) {
        self.capacity = min(capacity, NETWATCH_DATAGRAMS)
        self.size = size
        let length = self.capacity * size
        // Memory that nothing was read into yet is not even touched. All empty arrays share one buffer, which must not be written to.
        bytes = unsafe length == 0 ? [] : [UInt8](unsafeUninitializedCapacity: length) { $1 = length }
    }

    /// Reads what is there, without waiting, and hands it over.
    ///
    /// Where less has come than was asked for, no more was there. An error that came in between is told by the next call,
    /// and `epoll(7)` tells that there is one.
    mutating func receive(from descriptor: CInt, atMost limit: Int, _ body: (View) -> Void) -> Outcome {
        let (count, size) = (min(limit, capacity), size)
        return unsafe withUnsafeTemporaryAllocation(of: netwatch_datagram.self, capacity: count) { datagrams in
            let received = unsafe netwatch_receive(descriptor, &bytes, UInt(size), datagrams.baseAddress, UInt32(count))
            guard received > 0 else { return Outcome(Errno(rawValue: errno)) }
            for index in 0..<Int(received) {
                unsafe body(View(datagrams[index], in: bytes.span.extracting(index * size..<(index + 1) * size)))
            }
            return .received(Int(received))
        }
    }
}

extension DatagramBuffer.View {
    @_lifetime(copy room)
    fileprivate init(_ datagram: netwatch_datagram, in room: Span<UInt8>) {
        self.init(
            bytes: datagram.is_truncated != 0 ? nil : room.extracting(first: Int(datagram.length)),
            senderPort: datagram.sender)
    }
}

extension DatagramBuffer.Outcome {
    init(_ errno: Errno) {
        switch errno {
        case .resourceTemporarilyUnavailable, .wouldBlock: self = .empty
        case .noBufferSpace: self = .overrun
        default: self = .failed(errno)
        }
    }
}
