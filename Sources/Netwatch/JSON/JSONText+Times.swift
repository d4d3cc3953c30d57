import EventLoop
import RequestEngine

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

    /// Appends date and time of day, given in seconds since 1970: `2026-11-21T08:41:03`.
    fileprivate mutating func append(calendar seconds: UInt64) {
        let time = CalendarTime(Int64(clamping: seconds))
        append(UInt64(time.year), digits: 4)
        append(UInt8(ascii: "-"))
        append(UInt64(time.month), digits: 2)
        append(UInt8(ascii: "-"))
        append(UInt64(time.day), digits: 2)
        append(UInt8(ascii: "T"))
        append(UInt64(time.hour), digits: 2)
        append(UInt8(ascii: ":"))
        append(UInt64(time.minute), digits: 2)
        append(UInt8(ascii: ":"))
        append(UInt64(time.second), digits: 2)
    }
}
