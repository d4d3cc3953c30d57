internal import NetworkAddress

extension IPAddress {
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
}
