/// A moment in seconds since 1970-01-01 UTC, written as people read it.
package struct UTCTime: CustomStringConvertible {
    let seconds: Int64

    package init(_ seconds: Int64) {
        self.seconds = seconds
    }

    /// RFC 3339 without fractions: `2026-11-21T08:20:00Z`.
    package var description: String {
        let time = CalendarTime(seconds)
        let date = "\(time.year)-\(padded(time.month))-\(padded(time.day))"
        return "\(date)T\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second))Z"
    }

    private func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
