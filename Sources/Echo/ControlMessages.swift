import CLinux
import Glibc
import NetworkAddress

/// What the kernel says about a datagram beside its bytes (`cmsg(3)`).
struct ControlMessages {
    /// When the kernel received it, in nanoseconds of the real-time clock.
    private(set) var receptionTime: UInt64?
    private(set) var hopLimit: Int?
    /// The error that the datagram, one of our own, was sent back with.
    private(set) var error: CInt?
    /// Who sent that error: the host itself, a router, or this host.
    private(set) var offender: IPAddress?

    /// Reads the messages as far as they are whole.
    init(_ bytes: UnsafeRawBufferPointer) {
        let headerSize = MemoryLayout<cmsghdr>.size
        var offset = 0
        while offset + headerSize <= bytes.count {
            let header = bytes.loadUnaligned(fromByteOffset: offset, as: cmsghdr.self)
            let length = Int(header.cmsg_len)
            guard length >= headerSize, length <= bytes.count - offset else { return }
            take(header, UnsafeRawBufferPointer(rebasing: bytes[offset + headerSize..<offset + length]))
            offset += (length + 7) & ~7
        }
    }

    private mutating func take(_ header: cmsghdr, _ data: UnsafeRawBufferPointer) {
        switch (header.cmsg_level, header.cmsg_type) {
        case (SOL_SOCKET, SO_TIMESTAMPNS):
            guard let time = Self.load(timespec.self, data) else { return }
            receptionTime = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        case (CInt(IPPROTO_IP), IP_TTL), (CInt(IPPROTO_IPV6), IPV6_HOPLIMIT):
            hopLimit = Self.load(CInt.self, data).map { Int($0) }
        case (CInt(IPPROTO_IP), IP_RECVERR), (CInt(IPPROTO_IPV6), IPV6_RECVERR):
            offender = ErrorQueue.offender(ofError: data)
            error = Self.load(CInt.self, data)  // ee_errno, the first field of struct sock_extended_err
        default:
            break
        }
    }

    private static func load<Value: BitwiseCopyable>(_ type: Value.Type, _ data: UnsafeRawBufferPointer) -> Value? {
        data.count >= MemoryLayout<Value>.size ? data.loadUnaligned(as: type) : nil
    }
}
