package import EventLoop
package import FoundationEssentials
import Glibc

extension Date {
    /// A moment of the wall clock, given in nanoseconds since 1970-01-01 UTC: to the microsecond, which a `Date` can hold.
    package init(nanoseconds: UInt64) {
        self.init(timeIntervalSince1970: Double(nanoseconds / 1000) / 1e6)
    }

    /// A moment of the monotonic clock, by how the wall clock goes now: differences to other moments are right whatever was
    /// done to the wall clock in between.
    package init(_ time: MonotonicTime) {
        self.init(nanoseconds: time.nanoseconds &+ WallOffset.now)
    }
}

/// What the wall clock shows beyond the monotonic one, in nanoseconds (modulo 2^64).
private enum WallOffset {
    /// Two readings that differ by less are of the same clock: then the same moment has the same date each time.
    private static let tolerance: UInt64 = 10_000_000

    private static let known = ProcessMutex<UInt64?>(nil)

    static var now: UInt64 {
        let read = MonotonicTime.clock(CLOCK_REALTIME) &- MonotonicTime.now.nanoseconds
        return known.withLock { known in
            if let last = known, Int64(bitPattern: read &- last).magnitude < tolerance { return last }
            known = read
            return read
        }
    }
}
