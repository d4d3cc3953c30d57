internal import EventLoop

/// How many messages of ICMP a host may still send (net.ipv4.icmp_ratelimit): six at once, then one a second.
struct MessageLimit: Sendable {
    private var left = 6.0
    private var countedAt = MonotonicTime(nanoseconds: 0)

    /// Whether there is one left.
    mutating func take(at now: MonotonicTime) -> Bool {
        let passed = Double(now.nanoseconds - countedAt.nanoseconds) / 1e9
        (left, countedAt) = (min(6, left + passed), now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
