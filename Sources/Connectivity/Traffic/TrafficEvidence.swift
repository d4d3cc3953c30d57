public import EventLoop
public import NetworkAddress

/// What the host's own TCP connections say of one uplink in one family: those with public addresses behind its gateway.
public struct TrafficEvidence: Hashable, Sendable, Codable {
    /// The interface that they leave by.
    public var interface: String
    public var family: AddressFamily
    /// When anything last came in on one of them; nil where none has heard anything. Connections to port 80 do not count,
    /// because a portal answers there in the name of any server.
    public var heard: MonotonicTime? = nil
    /// Since when one of them has waited for an answer and sent again, the latest where there are several; nil where none
    /// waits.
    public var waitingSince: MonotonicTime? = nil
    /// How many have sent something again and wait.
    public var waiting = 0
    /// Segments that are on their way to hosts that have not acknowledged them, and how many of those are taken for lost.
    public var unacknowledged: UInt64 = 0
    public var lost: UInt64 = 0

    public init(interface: String, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }
}

extension TrafficEvidence {
    /// What may still come in after the segment that waits was sent, without being its answer.
    private static let slack = Duration.milliseconds(100)

    /// Fewer packets say nothing, and of more this part has to be lost (Android's `TcpSocketTracker`).
    private static let fewestPackets: UInt64 = 10
    private static let greatestLoss = 0.8

    /// Since when nothing comes back: a connection waits, and none has heard anything since, or most packets are lost. Nil
    /// where there is no sign of it.
    public var stalledSince: MonotonicTime? {
        guard let waitingSince else { return nil }
        let isSilent = heard.map { $0 <= waitingSince.advanced(by: Self.slack) } ?? true
        return isSilent || isLossy ? waitingSince : nil
    }

    /// One host that has gone loses all that is sent to it, too: several have to wait.
    private var isLossy: Bool {
        waiting > 1 && unacknowledged >= Self.fewestPackets
            && Double(lost) >= Double(unacknowledged) * Self.greatestLoss
    }
}
