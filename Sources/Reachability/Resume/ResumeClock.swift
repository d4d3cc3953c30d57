import CLinux
import EventLoop
import Glibc
import Netlink
import SystemPackage

/// A timer that never ends and is cancelled when the wall clock jumps, as it does when the host resumes: a descriptor
/// that becomes readable then (TFD_TIMER_CANCEL_ON_SET, `timerfd_create(2)`). Waiting for it costs nothing.
///
/// It closes its descriptor when it goes.
struct ResumeClock: ~Copyable {
    let descriptor: CInt
    private var detector = SuspendDetector(asleep: Self.asleep)

    init() throws(NetlinkError) {
        descriptor = timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
        guard descriptor >= 0 else { throw .socket(call: "timerfd_create", Errno(rawValue: errno)) }
        arm()
    }

    deinit {
        close(descriptor)
    }

    /// Takes the news of a jump; returns how long the host has slept, or nil where its clock was merely set.
    mutating func drain() -> Duration? {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
        arm()
        return detector.observe(asleep: Self.asleep)
    }

    private func arm() {
        var never = itimerspec()
        never.it_value.tv_sec = .max >> 1
        unsafe timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET), &never, nil)
    }

    private static var asleep: Duration { now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC) }

    private static func now(_ clock: clockid_t) -> Duration { .nanoseconds(MonotonicTime.clock(clock)) }
}
