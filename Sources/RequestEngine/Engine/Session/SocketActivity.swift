import EventLoop
import Glibc
import NetworkAddress

/// What the kernel has moved over a TCP connection, and when: more than libcurl tells, which hands bytes to the kernel long before
/// they have left, and takes a line of a header only once it is whole (`TCP_INFO`, `struct tcp_info` of `linux/tcp.h`).
struct SocketActivity {
    /// The bytes that the peer has acknowledged, and those that have come from it.
    let acknowledged: UInt64
    let received: UInt64
    /// When the latest acknowledgement came, and the latest bytes.
    let lastAcknowledgement: MonotonicTime
    let lastReceipt: MonotonicTime

    /// Nil for what is no TCP socket, or where the kernel is older than Linux 4.2.
    init?(of descriptor: CInt, now: MonotonicTime) {
        var bytes = [UInt8](repeating: 0, count: 256)
        var count = socklen_t(bytes.count)
        guard unsafe getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &bytes, &count) == 0, count >= 136 else {
            return nil
        }
        let info = bytes.span
        lastReceipt = now.advanced(by: .zero - .milliseconds(info.load(UInt32.self, at: 52)))
        lastAcknowledgement = now.advanced(by: .zero - .milliseconds(info.load(UInt32.self, at: 56)))
        acknowledged = info.load(UInt64.self, at: 120)
        received = info.load(UInt64.self, at: 128)
    }

    /// The local port of an internet socket; nil for any other.
    static func localPort(of descriptor: CInt) -> Int? {
        var address = sockaddr_storage()
        var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &count) }
        }
        guard result == 0, [AF_INET, AF_INET6].contains(CInt(address.ss_family)) else { return nil }
        // Of either family's address the port is the second field.
        return unsafe withUnsafeBytes(of: &address) { unsafe Int($0[2]) << 8 | Int($0[3]) }
    }
}
