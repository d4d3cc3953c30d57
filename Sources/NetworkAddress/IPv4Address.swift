import Glibc

/// An IPv4 address (RFC 791).
public struct IPv4Address: Hashable, Sendable {
    /// The address as a number: `192.0.2.1` is `0xC0000201`, whatever the byte order of the machine.
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// An address from its four bytes in network byte order, or nil where there are not four.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 else { return nil }
        rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The same of bytes that lie in memory, as those of messages do.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 4 else { return nil }
        rawValue = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
    }

    /// The four bytes in network byte order.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: rawValue.bigEndian) { Array($0) }
    }
}

extension IPv4Address: LosslessStringConvertible {
    public init?(_ description: String) {
        var address = in_addr()
        guard inet_pton(AF_INET, description, &address) == 1 else { return nil }
        rawValue = UInt32(bigEndian: address.s_addr)
    }

    public var description: String {
        String(unsafeUninitializedCapacity: Self.longestText, initializingUTF8With: write)
    }

    static let longestText = 15

    /// Writes the text form into memory with room for ``longestText`` bytes.
    ///
    /// - Returns: How many bytes it has.
    func write(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var (count, shift) = (0, 32 as UInt32)
        repeat {
            if shift < 32 { text.put(UInt8(ascii: "."), at: &count) }
            shift -= 8
            text.putDecimal(UInt8(truncatingIfNeeded: rawValue >> shift), at: &count)
        } while shift > 0
        return count
    }
}
