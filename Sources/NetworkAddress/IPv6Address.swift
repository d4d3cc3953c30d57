import Glibc

/// An IPv6 address (RFC 4291), without a zone.
public struct IPv6Address: Hashable, Sendable {
    /// The address as a number: `::1` is 1, whatever the byte order of the machine.
    public var rawValue: UInt128

    public init(rawValue: UInt128) {
        self.rawValue = rawValue
    }

    /// An address from its sixteen bytes in network byte order, or nil where there are not sixteen.
    public init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        self.init(bytes: bytes.span)
    }

    /// The same of bytes that lie in memory, as those of messages do.
    public init?(bytes: Span<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(rawValue: UInt128(bigEndian: bytes.load(UInt128.self)))
    }

    /// The sixteen bytes in network byte order.
    public var bytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: rawValue >> (120 - 8 * $0)) }
    }
}

extension IPv6Address: LosslessStringConvertible {
    public init?(_ description: String) {
        var address = in6_addr()
        guard unsafe inet_pton(AF_INET6, description, &address) == 1 else { return nil }
        self.init(address)
    }

    /// The text form of RFC 5952.
    public var description: String {
        String(upTo: Self.longestText, write)
    }

    static let longestText = Int(INET6_ADDRSTRLEN)

    /// Appends the text form, for which there has to be room.
    func write(to text: inout OutputSpan<UInt8>) {
        guard let gap = longestGap else { return writeGroups(0..<Self.groupCount, to: &text) }
        writeGroups(0..<gap.lowerBound, to: &text)
        text.append(UInt8(ascii: ":"))
        text.append(UInt8(ascii: ":"))
        guard hasEmbeddedAddress(behind: gap) else { return writeGroups(gap.upperBound..<Self.groupCount, to: &text) }
        if gap.upperBound == 5 {
            writeGroups(5..<6, to: &text)
            text.append(UInt8(ascii: ":"))
        }
        IPv4Address(rawValue: UInt32(truncatingIfNeeded: rawValue)).write(to: &text)
    }

    private func writeGroups(_ indexes: Range<Int>, to text: inout OutputSpan<UInt8>) {
        for index in indexes {
            if index > indexes.lowerBound { text.append(UInt8(ascii: ":")) }
            text.appendHexadecimal(group(index))
        }
    }

    /// Whether the last 32 bits are written as an IPv4 address, as `inet_ntop(3)` does in `::ffff:192.0.2.1`, and in
    /// `::192.0.2.1` (RFC 4291 section 2.5.5).
    private func hasEmbeddedAddress(behind gap: Range<Int>) -> Bool {
        gap == 0..<6 || (gap == 0..<5 && group(5) == 0xFFFF)
    }

    private static let groupCount = 8

    private func group(_ index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: rawValue >> (16 * (7 - index)))
    }

    /// The longest run of at least two groups that are 0, the first of several.
    private var longestGap: Range<Int>? {
        var longest = 0..<1
        var start = 0
        for index in 0..<Self.groupCount {
            if group(index) != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<index + 1 }
        }
        return longest.count > 1 ? longest : nil
    }
}
