/// Puts together the text of an address where it is to be, for there are dozens in each event.
extension OutputSpan<UInt8> {
    /// A number without leading zeros.
    mutating func appendDecimal(_ value: UInt8) {
        if value >= 100 { append(digit(value / 100)) }
        if value >= 10 { append(digit(value / 10 % 10)) }
        append(digit(value % 10))
    }

    /// Two hexadecimal digits.
    mutating func appendHexadecimal(_ value: UInt8) {
        append(digit(value >> 4))
        append(digit(value & 15))
    }

    /// A number in hexadecimal without leading zeros.
    mutating func appendHexadecimal(_ value: UInt16) {
        for shift in stride(from: 12, through: 0, by: -4) where value >> UInt16(shift) != 0 || shift == 0 {
            append(digit(UInt8(truncatingIfNeeded: value >> UInt16(shift)) & 15))
        }
    }

    private func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
