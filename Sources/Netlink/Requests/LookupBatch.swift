import CNetlink

/// Look-ups made ready to be sent in one datagram.
///
/// The bytes are kept, because the same questions are asked again and again. Only their numbers are new each time.
struct LookupBatch: Sendable {
    /// The answers to so many fit into the smallest queue that a kernel gives a socket (some 200 KiB).
    static let limit = 64

    let lookups: [Lookup]
    private(set) var bytes: [UInt8] = []
    /// Room for what the kernel answers, close together. An answer that does not fit, with the legs of dozens of ways, is
    /// asked for again.
    var answers: DatagramBuffer
    private var offsets: [Int] = []

    private static let answerSize = 1024

    /// - Parameter lookups: What to ask, at most ``limit``.
    init(_ lookups: [Lookup]) throws(NetlinkError) {
        self.lookups = lookups
        answers = DatagramBuffer(capacity: lookups.count, size: Self.answerSize)
        for lookup in lookups {
            offsets.append(bytes.count)
            bytes += try NetlinkRequest.lookUp(lookup).bytes
        }
    }

    /// Numbers the messages one after the other.
    mutating func number(from sequence: UInt32) {
        guard let field = MemoryLayout<nlmsghdr>.offset(of: \.nlmsg_seq) else { return }
        unsafe bytes.withUnsafeMutableBytes { bytes in
            for (index, offset) in offsets.enumerated() {
                unsafe bytes.storeBytes(of: sequence &+ UInt32(index), toByteOffset: offset + field, as: UInt32.self)
            }
        }
    }
}
