/// A moment in UTC, as a calendar and a clock show it (proleptic Gregorian).
package struct CalendarTime: Hashable, Sendable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    private let days: Int

    /// 0 is Sunday.
    package var weekday: Int { (days % 7 + 11) % 7 }

    /// - Parameter seconds: Since 1970-01-01.
    package init(_ seconds: Int64) {
        days = Int(seconds).dividedDown(by: 86_400)
        // Of the first day that there is a number for, the begin has none.
        let time = Int(seconds) &- days &* 86_400
        (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
        // Years are counted from 1 March, so that the day that leap years add is the last of one.
        let era = (days + Self.marchDays).dividedDown(by: Self.eraDays)
        let day = days + Self.marchDays - era * Self.eraDays
        let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * month + 2) / 5 + 1
        self.month = month < 10 ? month + 3 : month - 9
        year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
    }

    /// How many days lie between 1970-01-01 and a date; a day beyond the month's last is one of the next.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        let (shiftedYear, shiftedMonth) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let era = shiftedYear.dividedDown(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        return era * eraDays + 365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - marchDays
    }

    /// The days of 400 years, after which all repeats.
    private static let eraDays = 146_097
    /// The days from 0000-03-01 to 1970-01-01.
    private static let marchDays = 719_468
}

extension Int {
    fileprivate func dividedDown(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// As the parts of dates and times are written: `08`.
    package var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
