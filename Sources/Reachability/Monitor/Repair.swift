import EventLoop

/// Whether the state has to be read anew, and when it may be.
///
/// Until its queue has been read empty the kernel drops what comes, so that reading anew before would lose that for good.
/// Reading takes no more than a fifth of the time, however much is lost.
struct Repair: Hashable, Sendable {
    private static let retryInterval = Duration.milliseconds(100)

    /// Why the state has to be read anew.
    private(set) var pending: ResyncCause?
    /// Whether the socket was read empty the last time.
    var isDrained = true
    private var earliest = MonotonicTime(nanoseconds: 0)

    /// Notes that something was lost. The first reason stands.
    mutating func need(_ cause: ResyncCause?) {
        pending = pending ?? cause
    }

    /// Why to read anew now; nil where there is no need, or not yet.
    func due(_ now: MonotonicTime) -> ResyncCause? {
        isDrained && now >= earliest ? pending : nil
    }

    mutating func succeeded(from start: MonotonicTime, to end: MonotonicTime) {
        pending = nil
        earliest = end.advanced(by: start.duration(to: end) * 4)
    }

    mutating func failed(_ now: MonotonicTime) {
        earliest = now.advanced(by: Self.retryInterval)
    }

    /// When to try again; nil where there is no need.
    var next: MonotonicTime? { pending == nil ? nil : earliest }
}
