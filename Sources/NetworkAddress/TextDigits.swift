/// Puts together the text of an address where it is to be, for there are dozens in each event.
extension UnsafeMutableBufferPointer<UInt8> {
    func put(_ byte: UInt8, at count: inout Int) {
        self[count] = byte
        count += 1
    }

    /// A number without leading zeros.
    func putDecimal(_ value: UInt8, at count: inout Int) {
        if value >= 100 { put(digit(value / 100), at: &count) }
        if value >= 10 { put(digit(value / 10 % 10), at: &count) }
        put(digit(value % 10), at: &count)
    }

    /// Two hexadecimal digits.
    func putHexadecimal(_ value: UInt8, at count: inout Int) {
        put(digit(value >> 4), at: &count)
        put(digit(value & 15), at: &count)
    }

    /// A number in hexadecimal without leading zeros.
    func putHexadecimal(_ value: UInt16, at count: inout Int) {
        for shift in stride(from: 12, through: 0, by: -4) where value >> UInt16(shift) != 0 || shift == 0 {
            put(digit(UInt8(truncatingIfNeeded: value >> UInt16(shift)) & 15), at: &count)
        }
    }

    private func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
