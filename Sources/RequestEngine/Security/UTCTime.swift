internal import Glibc

/// A moment in seconds since 1970-01-01 UTC, written as people read it.
package struct UTCTime: CustomStringConvertible {
    let seconds: Int64

    package init(_ seconds: Int64) {
        self.seconds = seconds
    }

    /// RFC 3339 without fractions: `2026-11-21T08:20:00Z`.
    package var description: String {
        var time = time_t(seconds)
        var calendar = tm()
        guard gmtime_r(&time, &calendar) != nil else { return "\(seconds)" }
        let date = "\(Int(calendar.tm_year) + 1900)-\(padded(calendar.tm_mon + 1))-\(padded(calendar.tm_mday))"
        return "\(date)T\(padded(calendar.tm_hour)):\(padded(calendar.tm_min)):\(padded(calendar.tm_sec))Z"
    }

    private func padded(_ number: CInt) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
