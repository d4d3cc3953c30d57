internal import EventLoop
internal import Netlink

/// What one connection says.
extension TCPSocketMessage {
    /// A portal answers there in the place of any server.
    private static let plainHTTP: UInt16 = 80

    /// When anything last came in; nil where nothing has, or where it proves nothing.
    func heard(at now: MonotonicTime) -> MonotonicTime? {
        guard state == .established, destinationPort != Self.plainHTTP, let info else { return nil }
        // Every segment carries an acknowledgement. Where none has come yet, the age is that of the host.
        return now.advanced(by: .milliseconds(-Int64(min(info.lastDataReceived, info.lastAcknowledgementReceived))))
    }

    /// Since when it waits for an answer, where it has sent again for want of one; else nil.
    ///
    /// The kernel does not tell when it sent for the first time, but how long the time-outs were since: they begin with the
    /// first one, and each time that they are doubled adds twice as much.
    func waitingSince(at now: MonotonicTime) -> MonotonicTime? {
        guard let info, let due = retransmissionDue, info.retransmits > 0 else { return nil }
        guard state == .synSent || info.unacknowledged > 0 else { return nil }
        let doublings = min(info.backoff, 31)
        let first = Int64(info.retransmissionTimeout >> UInt32(doublings))
        let doubled = Int64(info.retransmissionTimeout) - first
        let undoubled = first * Int64(info.retransmits - min(info.retransmits, info.backoff))
        let sinceLast = max(0, Int64(info.retransmissionTimeout) - Int64(due) * 1000)
        return now.advanced(by: .microseconds(-(doubled + undoubled + sinceLast)))
    }
}
