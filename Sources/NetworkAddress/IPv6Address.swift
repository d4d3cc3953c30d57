import Glibc

/// An IPv6 address (RFC 4291), without a zone.
public struct IPv6Address: Hashable, Sendable {
    // Not as one number: that must lie at multiples of 16 bytes, and so must all that has an address in it, which makes
    // routes and paths half as large again, and memory for them expensive.
    private var high: UInt64
    private var low: UInt64

    /// The address as a number: `::1` is 1, whatever the byte order of the machine.
    public var rawValue: UInt128 {
        get { UInt128(high) << 64 | UInt128(low) }
        set { self = IPv6Address(rawValue: newValue) }
    }

    public init(rawValue: UInt128) {
        high = UInt64(truncatingIfNeeded: rawValue >> 64)
        low = UInt64(truncatingIfNeeded: rawValue)
    }

    /// An address from its sixteen bytes in network byte order, or nil where there are not sixteen.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(rawValue: bytes.reduce(0) { $0 << 8 | UInt128($1) })
    }

    /// The same of bytes that lie in memory, as those of messages do.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(rawValue: UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self)))
    }

    /// The sixteen bytes in network byte order.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: rawValue.bigEndian) { Array($0) }
    }
}

extension IPv6Address: LosslessStringConvertible {
    public init?(_ description: String) {
        var address = in6_addr()
        guard inet_pton(AF_INET6, description, &address) == 1 else { return nil }
        self.init(rawValue: withUnsafeBytes(of: address) { $0.reduce(0) { $0 << 8 | UInt128($1) } })
    }

    /// The text form of RFC 5952.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.longestText, initializingUTF8With: write)
    }

    static let longestText = Int(INET6_ADDRSTRLEN)

    /// Writes the text form into memory with room for ``longestText`` bytes.
    ///
    /// - Returns: How many bytes it has.
    func write(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        // Only there can an IPv4 address be embedded, which has a form of its own.
        guard rawValue >> 48 != 0 else { return writeByLibrary(to: text) }
        var count = 0
        guard let gap = longestGap else {
            text.putGroups(of: self, 0..<Self.groupCount, at: &count)
            return count
        }
        text.putGroups(of: self, 0..<gap.lowerBound, at: &count)
        text.put(UInt8(ascii: ":"), at: &count)
        text.put(UInt8(ascii: ":"), at: &count)
        text.putGroups(of: self, gap.upperBound..<Self.groupCount, at: &count)
        return count
    }

    private func writeByLibrary(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var bytes = rawValue.bigEndian
        _ = text.withMemoryRebound(to: CChar.self) { text in
            inet_ntop(AF_INET6, &bytes, text.baseAddress, socklen_t(text.count))
        }
        return text.firstIndex(of: 0) ?? 0
    }

    private static let groupCount = 8

    fileprivate func group(_ index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> UInt64(16 * (3 - index & 3)))
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

extension UnsafeMutableBufferPointer<UInt8> {
    fileprivate func putGroups(of address: IPv6Address, _ indexes: Range<Int>, at count: inout Int) {
        for index in indexes {
            if index > indexes.lowerBound { put(UInt8(ascii: ":"), at: &count) }
            putHexadecimal(address.group(index), at: &count)
        }
    }
}
