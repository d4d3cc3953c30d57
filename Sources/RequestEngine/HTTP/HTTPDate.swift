internal import Glibc

/// The dates of HTTP header fields (RFC 9110, section 5.6.7), as seconds since 1970-01-01 UTC.
package enum HTTPDate {
    /// Reads a date in any of the three forms a server may send; nil where it is none.
    package static func parse(_ text: String) -> Int64? {
        let words = text.split { " ,-\t".contains($0) }.map(String.init)
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5] == "GMT": return seconds(words[1], words[2], words[3], words[4])
        // Sun Nov  6 08:49:37 1994
        case 5: return seconds(words[2], words[1], words[4], words[3])
        default: return nil
        }
    }

    /// Writes a date in the form that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func format(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var calendar = tm()
        gmtime_r(&time, &calendar)
        let day = days[Int(calendar.tm_wday)]
        let month = months[Int(calendar.tm_mon)]
        let clock = [calendar.tm_hour, calendar.tm_min, calendar.tm_sec].map(padded).joined(separator: ":")
        return "\(day), \(padded(calendar.tm_mday)) \(month) \(Int(calendar.tm_year) + 1900) \(clock) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func padded(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func seconds(_ day: String, _ month: String, _ year: String, _ clock: String) -> Int64? {
        let parts = clock.split(separator: ":").compactMap { CInt($0) }
        guard parts.count == 3, (0...23).contains(parts[0]), (0...59).contains(parts[1]), (0...60).contains(parts[2]),
            let day = CInt(day), (1...31).contains(day), let month = months.firstIndex(of: month),
            let year = fullYear(year)
        else { return nil }
        var calendar = tm()
        calendar.tm_sec = parts[2]
        calendar.tm_min = parts[1]
        calendar.tm_hour = parts[0]
        calendar.tm_mday = day
        calendar.tm_mon = CInt(month)
        calendar.tm_year = year - 1900
        return Int64(timegm(&calendar))
    }

    /// Two digits mean the century in which they are not more than fifty years ahead; near enough is 1970 to 2069.
    private static func fullYear(_ text: String) -> CInt? {
        guard let year = CInt(text), (0...9999).contains(year) else { return nil }
        guard text.utf8.count == 2 else { return year }
        return year < 70 ? 2000 + year : 1900 + year
    }
}
