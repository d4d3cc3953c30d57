import CNetlink
import Glibc

/// A program that the kernel runs on each socket before it tells of it (INET_DIAG_REQ_BYTECODE, `struct inet_diag_bc_op`):
/// sockets of this host with itself, which may be most, are then neither put into words nor copied.
enum DiagnosisFilter {
    /// Leaves out peers in 127.0.0.0/8, also those of IPv6 sockets that speak IPv4, and ::1.
    static let withoutLoopback: [UInt8] = ipv4Loopback + ipv6Loopback

    private static let ipv4Loopback = unlessPeer(in: [127, 0, 0, 0], length: 8, AF_INET, rest: ipv6Loopback.count)
    private static let ipv6Loopback = unlessPeer(
        in: [UInt8](repeating: 0, count: 15) + [1], length: 128, AF_INET6, rest: 0)

    private static let jumpSize = 4

    /// A condition on the peer and a jump behind it. Where it holds, the jump is taken to four bytes beyond the program's end,
    /// which rejects the socket; else the jump is passed over. (A condition that holds has to go on with what follows it.)
    ///
    /// - Parameter rest: How many bytes of the program follow.
    private static func unlessPeer(in address: [UInt8], length: UInt8, _ family: CInt, rest: Int) -> [UInt8] {
        let size = jumpSize + MemoryLayout<inet_diag_hostcond>.size + address.count
        let anyPort: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        return jump(INET_DIAG_BC_D_COND, yes: size, no: size + jumpSize)
            + [UInt8(family), length, 0, 0] + anyPort + address
            + jump(INET_DIAG_BC_JMP, yes: jumpSize, no: jumpSize + rest + jumpSize)
    }

    /// `struct inet_diag_bc_op`: how far to go where it holds and where it does not, the latter in the host's byte order.
    private static func jump(_ code: Int, yes: Int, no: Int) -> [UInt8] {
        unsafe [UInt8(code), UInt8(yes)] + withUnsafeBytes(of: UInt16(no)) { unsafe Array($0) }
    }
}
