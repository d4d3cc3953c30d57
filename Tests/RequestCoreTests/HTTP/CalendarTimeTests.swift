import Foundation
import RequestEngine
import TestSupport
import Testing

@Suite("A moment as a calendar and a clock show it")
struct CalendarTimeTests {
    private static func expected(_ seconds: Int64) -> [Int] {
        var (time, calendar) = (time_t(seconds), tm())
        gmtime_r(&time, &calendar)
        return [
            Int(calendar.tm_year) + 1900, Int(calendar.tm_mon) + 1, Int(calendar.tm_mday), Int(calendar.tm_hour),
            Int(calendar.tm_min), Int(calendar.tm_sec), Int(calendar.tm_wday),
        ]
    }

    private static func parts(_ seconds: Int64) -> [Int] {
        let time = CalendarTime(seconds)
        return [time.year, time.month, time.day, time.hour, time.minute, time.second, time.weekday]
    }

    @Test("is what gmtime_r(3) says, from the year -500 to the year 9999", arguments: 1...4 as ClosedRange<UInt64>)
    func moments(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let seconds = Int64.random(in: -77_946_192_000...253_402_300_799, using: &random)
            #expect(Self.parts(seconds) == Self.expected(seconds), "\(seconds)")
        }
    }

    @Test(
        "is right on both sides of a new year, a leap day and 1970",
        arguments: [0, -1, 951_782_399, 951_782_400, 951_868_800, 4_107_542_399, 4_107_542_400, 1_798_761_599]
            as [Int64])
    func edges(seconds: Int64) {
        #expect(Self.parts(seconds) == Self.expected(seconds))
    }

    @Test("is one for every number, however far from now")
    func extremes() {
        #expect(CalendarTime(.min).hour == 8 && CalendarTime(.min).second == 52)
        #expect(CalendarTime(.max).hour == 15 && CalendarTime(.max).second == 7)
    }

    @Test("is counted as timegm(3) counts it, also where a month has no such day")
    func days() {
        for year in [0, 1, 1600, 1899, 1900, 1970, 1999, 2000, 2004, 2026, 2100, 9999] {
            for month in 1...12 {
                for day in [1, 28, 29, 30, 31] {
                    var calendar = tm()
                    calendar.tm_year = CInt(year - 1900)
                    calendar.tm_mon = CInt(month - 1)
                    calendar.tm_mday = CInt(day)
                    let expected = timegm(&calendar) / 86_400
                    #expect(
                        CalendarTime.days(year: year, month: month, day: day) == expected, "\(year)-\(month)-\(day)")
                }
            }
        }
    }
}
