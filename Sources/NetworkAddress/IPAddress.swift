/// An IPv4 or IPv6 address, without a port and without a zone.
public enum IPAddress: Hashable, Sendable {
    case v4(IPv4Address)
    case v6(IPv6Address)

    /// The address's family.
    public var family: AddressFamily {
        switch self {
        case .v4: .ipv4
        case .v6: .ipv6
        }
    }

    /// The address in network byte order: 4 or 16 bytes.
    public var bytes: [UInt8] {
        switch self {
        case .v4(let address): address.bytes
        case .v6(let address): address.bytes
        }
    }

    /// An address from its bytes in network byte order, or nil where there are neither 4 nor 16 of them.
    public init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        self.init(bytes: bytes.span)
    }

    /// The same of bytes that lie in memory, as those of messages do.
    public init?(bytes: Span<UInt8>) {
        if let address = IPv4Address(bytes: bytes) {
            self = .v4(address)
        } else if let address = IPv6Address(bytes: bytes) {
            self = .v6(address)
        } else {
            return nil
        }
    }

    /// Whether no packet with this source or destination leaves the link it is on (RFC 3927, RFC 4291 section 2.5.6).
    public var isLinkLocal: Bool {
        switch self {
        case .v4(let address): address.rawValue >> 16 == 0xA9FE
        case .v6(let address): address.rawValue >> 118 == 0x3FA
        }
    }

    /// Whether this is `0.0.0.0` or `::`.
    public var isUnspecified: Bool {
        switch self {
        case .v4(let address): address.rawValue == 0
        case .v6(let address): address.rawValue == 0
        }
    }

    /// Whether the address means this host itself (`127.0.0.0/8`, `::1`).
    public var isLoopback: Bool {
        switch self {
        case .v4(let address): address.rawValue >> 24 == 127
        case .v6(let address): address.rawValue == 1
        }
    }

    /// Whether it cannot belong to a host on the Internet (RFC 1918, 6598, 3927, 4193; loopback, link-local, unspecified).
    package var isPrivate: Bool {
        if isLoopback || isLinkLocal || isUnspecified { return true }
        switch self {
        case .v4(let address):
            let value = address.rawValue
            return value >> 24 == 10 || value >> 20 == 0xAC1 || value >> 16 == 0xC0A8 || value >> 22 == 0x191
        case .v6(let address):
            return address.rawValue >> 121 == 0x7E
        }
    }

    /// The address as it stands in a URL (RFC 3986, section 3.2.2).
    package var bracketed: String { family == .ipv6 ? "[\(self)]" : description }
}

extension IPAddress: LosslessStringConvertible {
    /// An address from its text form, as `inet_pton(3)` reads it. Brackets, zones, prefixes and ports are refused.
    public init?(_ description: String) {
        if let address = IPv4Address(description) {
            self = .v4(address)
        } else if let address = IPv6Address(description) {
            self = .v6(address)
        } else {
            return nil
        }
    }

    /// The canonical text form (RFC 5952 for IPv6).
    public var description: String {
        switch self {
        case .v4(let address): address.description
        case .v6(let address): address.description
        }
    }
}

extension IPAddress {
    package static let longestText = IPv6Address.longestText

    /// Appends the text form, for which there has to be room: what a `String` would be made for and given up at once.
    package func write(to text: inout OutputSpan<UInt8>) {
        switch self {
        case .v4(let address): address.write(to: &text)
        case .v6(let address): address.write(to: &text)
        }
    }
}

extension IPAddress: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.decodeText("an IP address")
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encodeText(self)
    }
}
