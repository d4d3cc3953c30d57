package import Connectivity
internal import EventLoop
internal import Glibc

extension Instant {
    /// Both clocks now.
    package static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(monotonic: .now, wall: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }
}
