/// A moment in seconds since 1970-01-01 UTC, written as people read it.
package struct UTCTime: CustomStringConvertible {
    let seconds: Int64

    package init(_ seconds: Int64) {
        self.seconds = seconds
    }

    /// RFC 3339 without fractions: `2026-11-21T08:20:00Z`.
    package var description: String {
        let time = CalendarTime(seconds)
        let date = "\(time.year)-\(time.month.twoDigits)-\(time.day.twoDigits)"
        return "\(date)T\(time.hour.twoDigits):\(time.minute.twoDigits):\(time.second.twoDigits)Z"
    }
}
