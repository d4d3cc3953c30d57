import Glibc
import NetworkAddress

/// How far a TCP connection has come, as the kernel tells without forgetting an error that libcurl is still to find
/// (`TCP_INFO`, unlike `SO_ERROR`).
package enum HandshakeState: Hashable, Sendable {
    /// Nothing has come back yet.
    case connecting
    case connected
    /// The host has refused it (RST).
    case refused
    /// It has failed without a segment of the host's: an ICMP message said so, or the kernel gave up.
    case failed
    /// Nothing was ever sent.
    case unsent

    package init(of descriptor: CInt) {
        var bytes = [UInt8](repeating: 0, count: 256)
        var count = socklen_t(bytes.count)
        let isTold = unsafe getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &bytes, &count) == 0
        self = isTold ? HandshakeState(bytes.span, count: Int(count)) : .unsent
    }

    /// Whether an error is known that has not ended the connection (`SO_ERROR`). It is forgotten with that.
    static func hasError(_ descriptor: CInt) -> Bool {
        var value: CInt = 0
        var count = socklen_t(MemoryLayout<CInt>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &value, &count) == 0 && value != 0
    }

    /// Reads `struct tcp_info` of `linux/tcp.h`.
    private init(_ bytes: Span<UInt8>, count: Int) {
        let (state, synSent, closed) = (bytes[0], UInt8(TCP_SYN_SENT), UInt8(TCP_CLOSE))
        // Linux 4.2 and later count the segments.
        let segmentsOut = count >= 144 ? bytes.load(UInt32.self, at: 136) : 1
        let segmentsIn = count >= 144 ? bytes.load(UInt32.self, at: 140) : 0
        self =
            switch state {
            case synSent: segmentsIn > 0 ? .refused : .connecting
            case closed: segmentsIn > 0 ? .refused : segmentsOut > 0 ? .failed : .unsent
            default: .connected
            }
    }
}
