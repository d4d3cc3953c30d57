import NetworkAddress

/// What the kernel counts of a TCP connection (`struct tcp_info`, `linux/tcp.h`). Times are in milliseconds, and ages: how
/// long ago it was. The structure grows with the kernel: what an older one does not tell is nil.
public struct TCPInfo: Hashable, Sendable {
    /// How often the oldest segment without an answer has been sent again because its time was over.
    public var retransmits: UInt8
    /// How often the time-out has been doubled since the last answer.
    public var backoff: UInt8
    /// The retransmission time-out as it is now, in microseconds.
    public var retransmissionTimeout: UInt32
    /// Segments that were sent and are not acknowledged yet.
    public var unacknowledged: UInt32
    /// Those of them that are taken for lost.
    public var lost: UInt32
    /// When data was last received.
    public var lastDataReceived: UInt32
    /// When an acknowledgement was last received; an age without meaning where none ever was.
    public var lastAcknowledgementReceived: UInt32
    /// Segments that were ever sent again.
    public var totalRetransmissions: UInt32
    /// Bytes that were acknowledged (Linux 4.1).
    public var bytesAcknowledged: UInt64? = nil
    /// Bytes that were received (Linux 4.1).
    public var bytesReceived: UInt64? = nil

    /// Where Linux 2.6 ended it. Every kernel tells so much.
    static let leastSize = 104

    /// - Parameter bytes: The structure; at least ``leastSize`` of it.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= Self.leastSize else { return nil }
        retransmits = bytes[2]
        backoff = bytes[4]
        retransmissionTimeout = bytes.load(UInt32.self, at: 8)
        unacknowledged = bytes.load(UInt32.self, at: 24)
        lost = bytes.load(UInt32.self, at: 32)
        lastDataReceived = bytes.load(UInt32.self, at: 52)
        lastAcknowledgementReceived = bytes.load(UInt32.self, at: 56)
        totalRetransmissions = bytes.load(UInt32.self, at: 100)
        bytesAcknowledged = Self.count(bytes, at: 120)
        bytesReceived = Self.count(bytes, at: 128)
    }

    private static func count(_ bytes: Span<UInt8>, at offset: Int) -> UInt64? {
        guard bytes.count >= offset + 8 else { return nil }
        return bytes.load(UInt64.self, at: offset)
    }
}
