import EventLoop

/// When the drivers are asked for their carrier: each ten milliseconds for a little over a second after any link event.
///
/// The kernel tells carrier loss at most once a second, over all devices (`net/core/link_watch.c`): within that second
/// after one event, the next is told late. Asking costs under two microseconds a link, and longer where others change
/// links all the time, which is when it is done more seldom. Afterwards there is silence.
struct CarrierWatch: Hashable, Sendable {
    static let interval = Duration.milliseconds(10)
    static let length = Duration.milliseconds(1100)
    /// What has to be between two rounds of questions, whatever is the reason.
    static let shortestRest = Duration.milliseconds(5)
    /// How long a driver is believed against the kernel, which should have told by then. It is not asked again.
    static let patience = Duration.seconds(5)
    /// So much longer than the asking takes are the drivers left alone.
    static let leisure = 50

    /// How often the drivers are asked beside that; nil for never.
    let pollInterval: Duration?

    private var opened: MonotonicTime?

    init(pollInterval: Duration? = nil) {
        self.pollInterval = pollInterval
    }

    var isOpen: Bool { opened != nil }

    mutating func open(_ now: MonotonicTime) {
        opened = now
    }

    /// When to ask next; nil once it is over.
    ///
    /// - Parameters:
    ///   - isDisputed: Whether some driver says otherwise than the kernel, which ends by itself.
    ///   - spent: How long asking took the last time.
    mutating func next(_ now: MonotonicTime, isDisputed: Bool, spent: Duration = .zero) -> MonotonicTime? {
        let isWatched = opened.map { $0.duration(to: now) < Self.length } ?? false
        guard isDisputed || isWatched else {
            opened = nil
            return pollInterval.map(now.advanced)
        }
        return now.advanced(by: max(Self.interval, spent * Self.leisure))
    }
}
