import EventLoop
import Glibc

/// One moment by three clocks, in nanoseconds.
package struct Stamp: Hashable, Sendable {
    /// Since 1970-01-01 UTC, as the clock was set then.
    package var wall: Int64
    /// On `CLOCK_MONOTONIC`, which stands still in suspend.
    package var monotonic: Int64
    /// On `CLOCK_BOOTTIME`, which goes on in suspend.
    package var boot: Int64

    package init(wall: Int64, monotonic: Int64, boot: Int64) {
        (self.wall, self.monotonic, self.boot) = (wall, monotonic, boot)
    }

    package static var now: Stamp {
        Stamp(wall: read(CLOCK_REALTIME), monotonic: read(CLOCK_MONOTONIC), boot: read(CLOCK_BOOTTIME))
    }

    /// A moment of which two clocks are known, shortly after it.
    package static func at(wall: UInt64, monotonic: UInt64) -> Stamp {
        let slept = read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC)
        let awake = Int64(clamping: monotonic)
        return Stamp(wall: Int64(clamping: wall), monotonic: awake, boot: awake + slept)
    }

    private static func read(_ clock: clockid_t) -> Int64 { Int64(MonotonicTime.clock(clock)) }
}

extension Int64 {
    /// Nanoseconds as milliseconds, rounded down.
    var milliseconds: Int64 { self >= 0 ? self / 1_000_000 : -((-self + 999_999) / 1_000_000) }
}
