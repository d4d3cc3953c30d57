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
        guard bytes.count == 16 else { return nil }
        rawValue = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The same of bytes that lie in memory, as those of messages do.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        rawValue = UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self))
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
        rawValue = withUnsafeBytes(of: address) { $0.reduce(0) { $0 << 8 | UInt128($1) } }
    }

    public var description: String {
        var bytes = rawValue.bigEndian
        return String(unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { text in
            _ = text.withMemoryRebound(to: CChar.self) { text in
                inet_ntop(AF_INET6, &bytes, text.baseAddress, socklen_t(text.count))
            }
            return text.firstIndex(of: 0) ?? 0
        }
    }
}
