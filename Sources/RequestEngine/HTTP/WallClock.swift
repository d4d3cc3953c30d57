internal import Glibc

/// The time of day.
public enum WallClock {
    /// Seconds since 1970-01-01 UTC.
    @Sendable public static func seconds() -> Int64 { Int64(time(nil)) }
}
