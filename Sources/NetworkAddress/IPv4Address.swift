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
        let bytes = Array(bytes)
        self.init(bytes: bytes.span)
    }

    /// The same of bytes that lie in memory, as those of messages do.
    public init?(bytes: Span<UInt8>) {
        guard bytes.count == 4 else { return nil }
        rawValue = UInt32(bigEndian: bytes.load(UInt32.self))
    }

    /// The four bytes in network byte order.
    public var bytes: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) }
    }
}

extension IPv4Address: LosslessStringConvertible {
    public init?(_ description: String) {
        var address = in_addr()
        guard unsafe inet_pton(AF_INET, description, &address) == 1 else { return nil }
        rawValue = UInt32(bigEndian: address.s_addr)
    }

    public var description: String {
        String(upTo: Self.longestText, write)
    }

    static let longestText = 15

    /// Appends the text form, for which there has to be room.
    func write(to text: inout OutputSpan<UInt8>) {
        var shift: UInt32 = 32
        repeat {
            if shift < 32 { text.append(UInt8(ascii: ".")) }
            shift -= 8
            text.appendDecimal(UInt8(truncatingIfNeeded: rawValue >> shift))
        } while shift > 0
    }
}
