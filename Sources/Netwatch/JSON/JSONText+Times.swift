import EventLoop

extension JSONText {
    /// Writes a moment of the monotonic clock as RFC 3339 has it, in UTC with microseconds; none where there is no value.
    mutating func member(_ key: StaticString, at time: MonotonicTime?) {
        if let time { member(key, at: time.nanoseconds) }
    }

    /// The same, given in nanoseconds.
    mutating func member(_ key: StaticString, at nanoseconds: UInt64?) {
        guard let nanoseconds else { return }
        // What was before 1970 by a clock that had not been set is shown as its beginning.
        let wall = Int64(bitPattern: nanoseconds &+ wallOffset)
        member(key, wall: UInt64(max(wall, 0)))
    }

    /// Writes nanoseconds since 1970-01-01 UTC as RFC 3339 has it.
    mutating func member(_ key: StaticString, wall nanoseconds: UInt64) {
        buffer.append(key: key)
        buffer.append(UInt8(ascii: "\""))
        buffer.append(calendar: nanoseconds / 1_000_000_000)
        buffer.append(UInt8(ascii: "."))
        buffer.append(nanoseconds % 1_000_000_000 / 1000, digits: 6)
        buffer.append("Z\"")
    }

    /// Writes nanoseconds as seconds, a decimal; none where there is no value.
    mutating func member(_ key: StaticString, seconds nanoseconds: UInt64?) {
        guard let nanoseconds else { return }
        buffer.append(key: key)
        buffer.append(seconds: nanoseconds)
    }
}

extension JSONText {
    /// The same with a key that comes from elsewhere.
    mutating func member(named key: String, seconds nanoseconds: UInt64) {
        buffer.separate()
        key.write(to: &self)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(seconds: nanoseconds)
    }
}

extension ByteBuffer {
    /// Appends nanoseconds as seconds, with as many decimals as there are: `0.0234`.
    mutating func append(seconds nanoseconds: UInt64) {
        append(decimal: nanoseconds / 1_000_000_000)
        var (fraction, digits) = (nanoseconds % 1_000_000_000, 9)
        guard fraction > 0 else { return }
        while fraction.isMultiple(of: 10) { (fraction, digits) = (fraction / 10, digits - 1) }
        append(UInt8(ascii: "."))
        append(fraction, digits: digits)
    }

    /// Appends a number with so many digits, zeros in front.
    fileprivate mutating func append(_ value: UInt64, digits count: Int) {
        append(upTo: count) { digits in
            var rest = value
            for place in stride(from: count - 1, through: 0, by: -1) {
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return count
        }
    }

    /// Appends date and time of day, given in seconds since 1970: `2026-11-21T08:41:03`.
    ///
    /// The calendar is counted from 1 March of the year 0 in eras of 400 years, so that the day that leap years add is the
    /// last of a year.
    fileprivate mutating func append(calendar seconds: UInt64) {
        let (days, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (era, day) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        append(year + era * 400 + (month < 10 ? 0 : 1), digits: 4)
        append(UInt8(ascii: "-"))
        append(month < 10 ? month + 3 : month - 9, digits: 2)
        append(UInt8(ascii: "-"))
        append(dayOfYear - (153 * month + 2) / 5 + 1, digits: 2)
        append(UInt8(ascii: "T"))
        append(time / 3600, digits: 2)
        append(UInt8(ascii: ":"))
        append(time / 60 % 60, digits: 2)
        append(UInt8(ascii: ":"))
        append(time % 60, digits: 2)
    }
}
