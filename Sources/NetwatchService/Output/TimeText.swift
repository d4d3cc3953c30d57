import Glibc
import RequestEngine

/// Wall-clock times as people and RFC 3339 write them. Foundation's formatters would bring in all of Foundation.
package enum TimeText {
    /// Now, in seconds since 1970-01-01 UTC.
    package static var seconds: Int { time(nil) }

    /// `08:41:03` in the local time zone.
    package static func timeOfDay(_ nanoseconds: UInt64) -> String { local(nanoseconds).time }

    /// `08:41:03` in the local time zone, or `11-21 08:41:03` where that is on another day than `now`.
    package static func moment(_ nanoseconds: UInt64, seenAt now: UInt64) -> String {
        let (date, time) = local(nanoseconds)
        return date == local(now).date ? time : "\(date.dropFirst(5)) \(time)"
    }

    /// `2026-11-21` and `08:41:03` in the local time zone.
    private static func local(_ nanoseconds: UInt64) -> (date: String, time: String) {
        var seconds = time_t(clamping: nanoseconds / 1_000_000_000)
        var time = unsafe tm()
        _ = unsafe localtime_r(&seconds, &time)
        return unsafe (
            "\(Int(time.tm_year) + 1900)-\((Int(time.tm_mon) + 1).twoDigits)-\(Int(time.tm_mday).twoDigits)",
            "\(Int(time.tm_hour).twoDigits):\(Int(time.tm_min).twoDigits):\(Int(time.tm_sec).twoDigits)"
        )
    }

    /// `2026-11-21T08:41:03.123456Z`: RFC 3339 in UTC, with microseconds.
    package static func rfc3339(_ nanoseconds: UInt64) -> String {
        let micros = String(nanoseconds % 1_000_000_000 / 1000)
        let fraction = String(repeating: "0", count: 6 - micros.count) + micros
        return "\(UTCTime(Int64(nanoseconds / 1_000_000_000)).description.dropLast()).\(fraction)Z"
    }
}
