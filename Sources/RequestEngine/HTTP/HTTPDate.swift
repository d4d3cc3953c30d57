/// The dates of HTTP header fields (RFC 9110, section 5.6.7), as seconds since 1970-01-01 UTC.
package enum HTTPDate {
    /// Reads a date in any of the three forms a server may send; nil where it is none.
    package static func parse(_ text: String) -> Int64? {
        // By bytes: found by characters, a date is a tenth of the instructions of a whole probe.
        let words = text.utf8.split { separators.contains($0) }.map(Substring.init)
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5] == "GMT": return seconds(words[1], words[2], words[3], words[4])
        // Sun Nov  6 08:49:37 1994
        case 5: return seconds(words[2], words[1], words[4], words[3])
        default: return nil
        }
    }

    /// Writes a date in the form that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func format(_ seconds: Int64) -> String {
        let time = CalendarTime(seconds)
        let date = "\(days[time.weekday]), \(time.day.twoDigits) \(months[time.month - 1]) \(time.year)"
        return "\(date) \([time.hour, time.minute, time.second].map(\.twoDigits).joined(separator: ":")) GMT"
    }

    private static let separators = ByteSet(" ,-\t")
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func seconds(
        _ day: Substring, _ month: Substring, _ year: Substring, _ clock: Substring
    ) -> Int64? {
        let parts = clock.utf8.split(separator: UInt8(ascii: ":")).compactMap { Int(Substring($0)) }
        guard parts.count == 3, (0...23).contains(parts[0]), (0...59).contains(parts[1]), (0...60).contains(parts[2]),
            let day = Int(day), (1...31).contains(day), let month = months.firstIndex(where: { month == $0 }),
            let year = fullYear(year)
        else { return nil }
        let days = CalendarTime.days(year: year, month: month + 1, day: day)
        return Int64(days) * 86_400 + Int64(parts[0] * 3600 + parts[1] * 60 + parts[2])
    }

    /// Two digits mean the century in which they are not more than fifty years ahead; near enough is 1970 to 2069.
    private static func fullYear(_ text: Substring) -> Int? {
        guard let year = Int(text), (0...9999).contains(year) else { return nil }
        guard text.utf8.count == 2 else { return year }
        return year < 70 ? 2000 + year : 1900 + year
    }
}
