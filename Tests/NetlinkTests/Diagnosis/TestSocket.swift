import Glibc
import NetworkAddress
import SystemPackage

/// A TCP socket of a test's own, in the network namespace of the thread that makes it; closed with the last reference to it.
final class TestSocket: Sendable {
    private let descriptor: CInt

    init(listeningAt host: String) throws {
        descriptor = try Self.open(host)
        try Self.withAddress(host, 0) { try Self.check(bind(descriptor, $0, $1)) }
        try Self.check(listen(descriptor, 4096))
    }

    /// - Parameter waits: Whether it waits until the connection is made.
    init(connectingTo host: String, port: UInt16, boundTo interface: String? = nil, waits: Bool = true) throws {
        descriptor = try Self.open(host)
        if let interface {
            try Self.check(
                setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, interface, socklen_t(interface.utf8.count)))
        }
        if !waits { try Self.check(fcntl(descriptor, F_SETFL, O_NONBLOCK)) }
        try Self.withAddress(host, port) { address, length in
            let result = connect(descriptor, address, length)
            if result != 0, waits || errno != EINPROGRESS { throw Errno(rawValue: errno) }
        }
    }

    deinit {
        close(descriptor)
    }

    var port: UInt16 {
        get throws {
            var address = sockaddr_in6()
            var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    try Self.check(getsockname(descriptor, $0, &length))
                }
            }
            // The port is at the same place in both families' addresses.
            return UInt16(bigEndian: address.sin6_port)
        }
    }

    func write(_ count: Int) throws {
        let bytes = [UInt8](repeating: 0, count: count)
        try Self.check(CInt(truncatingIfNeeded: send(descriptor, bytes, count, CInt(MSG_NOSIGNAL))))
    }

    private static func open(_ host: String) throws -> CInt {
        let family = host.contains(":") ? AF_INET6 : AF_INET
        let descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try check(descriptor)
        return descriptor
    }

    private static func withAddress(
        _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        if host.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { throw Errno.invalidArgument }
            try withUnsafePointer(to: address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    try body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw Errno.invalidArgument }
            try withUnsafePointer(to: address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    private static func check(_ result: CInt) throws {
        if result < 0 { throw Errno(rawValue: errno) }
    }
}
