import Glibc

/// Wall-clock times as people and RFC 3339 write them. Foundation's formatters would bring in all of Foundation.
package enum TimeText {
    /// Now, in seconds since 1970-01-01 UTC.
    package static var seconds: Int { time(nil) }

    /// `08:41:03` in the local time zone.
    package static func timeOfDay(_ nanoseconds: UInt64) -> String {
        let time = broken(nanoseconds, localtime_r)
        return "\(two(time.tm_hour)):\(two(time.tm_min)):\(two(time.tm_sec))"
    }

    /// `2026-11-21T08:41:03.123456Z`: RFC 3339 in UTC, with microseconds.
    package static func rfc3339(_ nanoseconds: UInt64) -> String {
        let time = broken(nanoseconds, gmtime_r)
        let date = "\(Int(time.tm_year) + 1900)-\(two(time.tm_mon + 1))-\(two(time.tm_mday))"
        let micros = String(nanoseconds % 1_000_000_000 / 1000)
        let fraction = String(repeating: "0", count: 6 - micros.count) + micros
        return "\(date)T\(two(time.tm_hour)):\(two(time.tm_min)):\(two(time.tm_sec)).\(fraction)Z"
    }

    /// `Sat, 21 Nov 2026 08:41:03 GMT`: the date of an HTTP answer (RFC 9110, section 5.6.7), now.
    package static func httpDate() -> String {
        let time = broken(UInt64(time(nil)) * 1_000_000_000, gmtime_r)
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(time.tm_wday)]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = "\(two(time.tm_mday)) \(months[Int(time.tm_mon)]) \(Int(time.tm_year) + 1900)"
        return "\(day), \(date) \(two(time.tm_hour)):\(two(time.tm_min)):\(two(time.tm_sec)) GMT"
    }

    private static func broken(
        _ nanoseconds: UInt64,
        _ convert: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
    ) -> tm {
        var seconds = time_t(clamping: nanoseconds / 1_000_000_000)
        var time = tm()
        _ = convert(&seconds, &time)
        return time
    }

    private static func two(_ number: CInt) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
