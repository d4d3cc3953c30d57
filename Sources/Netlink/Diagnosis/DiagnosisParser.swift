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
            let state = TCPState(rawValue: fixed.idiag_state),
            let source = address(family, fixed.id.idiag_src), let destination = address(family, fixed.id.idiag_dst)
        else { return nil }
        var socket = TCPSocketMessage(
            state: state, source: source, sourcePort: UInt16(bigEndian: fixed.id.idiag_sport),
            destination: destination, destinationPort: UInt16(bigEndian: fixed.id.idiag_dport))
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

    private static func address<Words: BitwiseCopyable>(_ family: AddressFamily, _ words: Words) -> IPAddress? {
        withUnsafeBytes(of: words) { bytes in
            let isMapped = family == .ipv6 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] & bytes[11] == 0xFF
            let own = isMapped ? bytes[12..<16] : family == .ipv4 ? bytes[0..<4] : bytes[0..<16]
            return IPAddress(bytes: UnsafeRawBufferPointer(rebasing: own))
        }
    }
}
