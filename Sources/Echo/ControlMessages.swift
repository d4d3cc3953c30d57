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
    /// The sender of that error: the host itself, a router, or this host.
    private(set) var offender: IPAddress?

    /// Reads the messages as far as they are whole.
    init(_ bytes: Span<UInt8>) {
        ControlMessage.forEach(in: bytes) { level, type, data in take(level, type, data) }
    }

    private mutating func take(_ level: CInt, _ type: CInt, _ data: Span<UInt8>) {
        switch (level, type) {
        case (SOL_SOCKET, SO_TIMESTAMPNS):
            guard let time = Self.load(timespec.self, data) else { return }
            receptionTime = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        case (CInt(IPPROTO_IP), IP_TTL), (CInt(IPPROTO_IPV6), IPV6_HOPLIMIT):
            hopLimit = Self.load(CInt.self, data).map { Int($0) }
        case (let level, let type) where ControlMessage.isError(level: level, type: type):
            offender = ErrorQueue.offender(ofError: data)
            error = Self.load(CInt.self, data)  // ee_errno, the first field of struct sock_extended_err
        default:
            break
        }
    }

    private static func load<Value: BitwiseCopyable>(_ type: Value.Type, _ data: Span<UInt8>) -> Value? {
        data.count >= MemoryLayout<Value>.size ? data.load(type) : nil
    }
}
