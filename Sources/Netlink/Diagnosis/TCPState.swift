/// A state of a TCP socket (RFC 9293, section 3.3.2; the kernel's numbers, `net/tcp_states.h`).
public enum TCPState: UInt8, Hashable, Sendable, CaseIterable {
    case established = 1
    case synSent
    case synReceived
    case finWait1
    case finWait2
    case timeWait
    case closed
    case closeWait
    case lastAck
    case listen
    case closing
}

/// Which states a question is about (`TCPF_*`).
public struct TCPStates: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public init(_ state: TCPState) {
        rawValue = 1 << UInt32(state.rawValue)
    }

    public static let established = TCPStates(.established)
    public static let synSent = TCPStates(.synSent)
}
