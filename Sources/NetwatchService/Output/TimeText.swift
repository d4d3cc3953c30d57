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
            "\(Int(time.tm_year) + 1900)-\(two(Int(time.tm_mon) + 1))-\(two(Int(time.tm_mday)))",
            "\(two(Int(time.tm_hour))):\(two(Int(time.tm_min))):\(two(Int(time.tm_sec)))"
        )
    }

    /// `2026-11-21T08:41:03.123456Z`: RFC 3339 in UTC, with microseconds.
    package static func rfc3339(_ nanoseconds: UInt64) -> String {
        let time = CalendarTime(Int64(nanoseconds / 1_000_000_000))
        let date = "\(time.year)-\(two(time.month))-\(two(time.day))"
        let micros = String(nanoseconds % 1_000_000_000 / 1000)
        let fraction = String(repeating: "0", count: 6 - micros.count) + micros
        return "\(date)T\(two(time.hour)):\(two(time.minute)):\(two(time.second)).\(fraction)Z"
    }

    /// `Sat, 21 Nov 2026 08:41:03 GMT`: the date of an HTTP answer (RFC 9110, section 5.6.7), now.
    package static func httpDate() -> String { HTTPDate.format(Int64(seconds)) }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
