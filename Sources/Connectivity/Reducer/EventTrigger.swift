internal import EventLoop
internal import Reachability

/// What an input was, for the event it may lead to.
struct EventTrigger: Sendable {
    /// A cause, or the result whose words are only put together where an event follows.
    private enum Source: Sendable {
        case cause(Cause)
        case probe(ProbeResult)
    }

    private let source: Source
    private(set) var time: MonotonicTime
    let isResync: Bool

    init(_ cause: Cause, time: MonotonicTime, isResync: Bool = false) {
        (source, self.time, self.isResync) = (.cause(cause), time, isResync)
    }

    init(_ result: ProbeResult) {
        (source, time, isResync) = (.probe(result), result.endMonotonic, false)
    }

    /// The same, as if it had happened later.
    func postponed(to time: MonotonicTime) -> EventTrigger {
        var trigger = self
        trigger.time = time
        return trigger
    }

    /// Whether it is something to tell by itself.
    var isNews: Bool { result == nil }

    /// The result that it was; nil for anything else.
    var result: ProbeResult? {
        if case .probe(let result) = source { result } else { nil }
    }

    var cause: Cause {
        switch source {
        case .cause(let cause): cause
        case .probe(let result): Cause(probe: result)
        }
    }
}
