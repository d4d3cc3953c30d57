import CNetlink
import NetworkAddress

/// Reads SOCK_DIAG_BY_FAMILY (`struct inet_diag_msg`, INET_DIAG_*).
enum DiagnosisParser {
    /// `idiag_timer`: the retransmission time-out runs.
    private static let retransmissionTimer: UInt8 = 1

    /// Nil for a socket of another family, or in a state that has no number here.
    static func parse(_ message: Message) throws(NetlinkError) -> TCPSocketMessage? {
        let fixed = try message.fixedPart(inet_diag_msg.self)
        guard let family = AddressFamily(kernelValue: fixed.idiag_family),
            let state = TCPState(rawValue: fixed.idiag_state)
        else { return nil }
        var socket = TCPSocketMessage(
            state: state, source: address(family, fixed.id.idiag_src),
            sourcePort: UInt16(bigEndian: fixed.id.idiag_sport), destination: address(family, fixed.id.idiag_dst),
            destinationPort: UInt16(bigEndian: fixed.id.idiag_dport))
        socket.boundInterface = fixed.id.idiag_if == 0 ? nil : fixed.id.idiag_if
        socket.userID = fixed.idiag_uid
        if fixed.idiag_timer == retransmissionTimer { socket.retransmissionDue = fixed.idiag_expires }
        try message.attributes(after: inet_diag_msg.self).forEach { (attribute) throws(NetlinkError) in
            guard attribute.type == INET_DIAG_INFO else { return }
            try attribute.require(TCPInfo.leastSize)
            socket.info = TCPInfo(attribute.payload)
        }
        return socket
    }

    /// Four words in network byte order, of which IPv4 has the first, and the last where it comes in an IPv6 address.
    private static func address(_ family: AddressFamily, _ words: (UInt32, UInt32, UInt32, UInt32)) -> IPAddress {
        guard family == .ipv6 else { return .v4(IPv4Address(rawValue: UInt32(bigEndian: words.0))) }
        let high = UInt64(UInt32(bigEndian: words.0)) << 32 | UInt64(UInt32(bigEndian: words.1))
        let low = UInt64(UInt32(bigEndian: words.2)) << 32 | UInt64(UInt32(bigEndian: words.3))
        guard high != 0 || low >> 32 != 0xFFFF else {
            return .v4(IPv4Address(rawValue: UInt32(truncatingIfNeeded: low)))
        }
        return .v6(IPv6Address(rawValue: UInt128(high) << 64 | UInt128(low)))
    }
}
