import Glibc

/// A point on the system's monotonic clock (`CLOCK_MONOTONIC`), which never jumps and stands still in suspend.
///
/// Values are comparable within one boot of one host and mean nothing beyond it.
public struct MonotonicTime: Hashable, Sendable {
    /// Nanoseconds since an arbitrary point, in practice the boot.
    public let nanoseconds: UInt64

    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The time now.
    public static var now: MonotonicTime {
        MonotonicTime(nanoseconds: clock(CLOCK_MONOTONIC))
    }

    /// The time from this point to a later one; negative where the other is earlier.
    public func duration(to other: MonotonicTime) -> Duration {
        .nanoseconds(Int64(bitPattern: other.nanoseconds &- nanoseconds))
    }

    /// This point moved by a duration, held between 0 and `Int64.max` nanoseconds (292 years): to a later point than that
    /// ``duration(to:)`` cannot tell the time.
    public func advanced(by duration: Duration) -> MonotonicTime {
        let moved = Int128(nanoseconds) + duration.attoseconds / 1_000_000_000
        return MonotonicTime(nanoseconds: UInt64(clamping: min(moved, Int128(Int64.max))))
    }

    /// What one of the system's clocks shows, in nanoseconds (`clock_gettime(2)`). Linux lets none be set below zero.
    package static func clock(_ id: CInt) -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(id, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension MonotonicTime: Comparable {
    public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}

/// Coded as its nanoseconds alone, so that every time in JSON is one number.
extension MonotonicTime: Codable {
    public init(from decoder: any Decoder) throws {
        nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}
