package import Glibc

/// Addresses as the socket interface has them (ip(7), ipv6(7)).
extension IPAddress {
    /// Calls the body with this address and a port.
    package func withSocketAddress<Result>(
        port: UInt16 = 0, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch self {
        case .v4(let address):
            var socketAddress = sockaddr_in()
            socketAddress.sin_family = sa_family_t(AF_INET)
            socketAddress.sin_port = port.bigEndian
            socketAddress.sin_addr.s_addr = address.rawValue.bigEndian
            return unsafe withUnsafePointer(to: socketAddress) { unsafe Self.call(body, $0) }
        case .v6(let address):
            var socketAddress = sockaddr_in6()
            socketAddress.sin6_family = sa_family_t(AF_INET6)
            socketAddress.sin6_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &socketAddress.sin6_addr) { bytes in
                unsafe bytes.storeBytes(of: address.rawValue.bigEndian, as: UInt128.self)
            }
            return unsafe withUnsafePointer(to: socketAddress) { unsafe Self.call(body, $0) }
        }
    }

    /// The address that a socket sends from (getsockname(2)); nil where it has none of either family.
    package init?(ofSocket descriptor: CInt) { unsafe self.init { unsafe getsockname(descriptor, $0, $1) } }

    /// The address that a socket is connected to (getpeername(2)); nil where there is none of either family.
    package init?(ofPeer descriptor: CInt) { unsafe self.init { unsafe getpeername(descriptor, $0, $1) } }

    private init?(_ tell: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt) {
        let told: IPAddress? = unsafe withUnsafeTemporaryAllocation(of: sockaddr_storage.self, capacity: 1) { place in
            let bytes = UnsafeMutableRawBufferPointer(place)
            var count = socklen_t(bytes.count)
            guard let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                unsafe tell(address, &count) == 0
            else { return nil }
            return IPAddress(
                socketAddress: unsafe bytes.assumingMemoryBound(to: UInt8.self).span.extracting(first: Int(count)))
        }
        guard let told else { return nil }
        self = told
    }

    /// The address in a socket address; nil where it is of neither family, or too short for its own.
    package init?(socketAddress: Span<UInt8>) {
        guard socketAddress.count >= MemoryLayout<sockaddr_in>.size else { return nil }
        switch CInt(socketAddress.load(sa_family_t.self)) {
        case AF_INET:
            let address = socketAddress.load(sockaddr_in.self)
            self = .v4(IPv4Address(rawValue: UInt32(bigEndian: address.sin_addr.s_addr)))
        case AF_INET6 where socketAddress.count >= MemoryLayout<sockaddr_in6>.size:
            self.init(bytes: socketAddress.extracting(8..<24))  // sin6_addr, a union in C
        default:
            return nil
        }
    }

    private static func call<Value, Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result, _ pointer: UnsafePointer<Value>
    ) -> Result {
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            unsafe body(pointer, socklen_t(MemoryLayout<Value>.size))
        }
    }

    /// An address from its text as libcurl gives it: a link-local one has its zone behind it.
    package init?(text: UnsafePointer<CChar>) {
        var (v4, v6) = (in_addr(), in6_addr())
        if unsafe inet_pton(AF_INET, text, &v4) == 1 {
            self = .v4(IPv4Address(rawValue: UInt32(bigEndian: v4.s_addr)))
        } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
            self = .v6(IPv6Address(v6))
        } else if let bare = unsafe String(cString: text).split(separator: "%").first {
            self.init(String(bare))
        } else {
            return nil
        }
    }
}

extension IPv6Address {
    /// The address in the structure that C has for it, which is a union.
    package init(_ address: in6_addr) {
        let bits = unsafe withUnsafeBytes(of: address) { unsafe $0.loadUnaligned(as: UInt128.self) }
        self.init(rawValue: UInt128(bigEndian: bits))
    }
}
