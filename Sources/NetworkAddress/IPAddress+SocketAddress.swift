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
            return withUnsafePointer(to: socketAddress) { Self.call(body, $0) }
        case .v6(let address):
            var socketAddress = sockaddr_in6()
            socketAddress.sin6_family = sa_family_t(AF_INET6)
            socketAddress.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &socketAddress.sin6_addr) { $0.copyBytes(from: address.bytes) }
            return withUnsafePointer(to: socketAddress) { Self.call(body, $0) }
        }
    }

    /// The address in a socket address that has room for its family's; nil where it is of neither family.
    package init?(socketAddress: UnsafeRawPointer) {
        switch CInt(socketAddress.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            let address = socketAddress.loadUnaligned(as: sockaddr_in.self)
            self = .v4(IPv4Address(rawValue: UInt32(bigEndian: address.sin_addr.s_addr)))
        case AF_INET6:
            let address = socketAddress.loadUnaligned(as: sockaddr_in6.self)
            self.init(bytes: withUnsafeBytes(of: address.sin6_addr, Array.init))
        default:
            return nil
        }
    }

    private static func call<Value, Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result, _ pointer: UnsafePointer<Value>
    ) -> Result {
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Value>.size)) }
    }
}
