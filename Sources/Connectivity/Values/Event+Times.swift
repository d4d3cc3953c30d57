public import FoundationEssentials
internal import Reachability

extension Event {
    /// When it was published, to the microsecond.
    public var time: Date { Date(nanoseconds: timeNanoseconds) }

    /// From what caused this event (the kernel's message, the end of a probe) to the event itself.
    public var latency: Duration? { latencyNanoseconds.map { .nanoseconds(Int64(clamping: $0)) } }

    /// Since when connectivity has been what it is.
    public var since: Date? { date(sinceMonotonic) }

    /// Since when the host's own connections wait in vain over the way that traffic leaves by: it is suspected to be dead, and
    /// probes under way will tell. Nil where there is no such sign.
    public var suspectSince: Date? { date(suspectMonotonic) }

    /// When the last probe ended; nil where none has.
    public var checkedAt: Date? { date(checkedMonotonic) }

    /// By the wall clock as it went at this event.
    private func date(_ moment: UInt64?) -> Date? {
        moment.map { Date(nanoseconds: $0 &+ (timeNanoseconds &- monotonic)) }
    }
}
