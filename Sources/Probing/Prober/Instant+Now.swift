package import Connectivity
internal import EventLoop
internal import Glibc

extension Instant {
    /// Both clocks now.
    package static var now: Instant { Instant(monotonic: .now, wall: MonotonicTime.clock(CLOCK_REALTIME)) }
}
