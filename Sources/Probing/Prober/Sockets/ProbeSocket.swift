internal import Glibc
internal import NetworkAddress
internal import SystemPackage

/// A socket of one probe: it does not block, and is closed with its last reference.
final class ProbeSocket: Sendable {
    let descriptor: CInt

    init(_ family: AddressFamily, type: CInt, protocol: CInt) throws(Errno) {
        let domain = family == .ipv4 ? AF_INET : AF_INET6
        descriptor = socket(domain, type | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue), `protocol`)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    }

    /// Begins to connect to an address, over an interface where one is given.
    convenience init(
        _ type: CInt = .stream, connectingTo address: IPAddress, port: UInt16, by interface: String?
    ) throws(Errno) {
        try self.init(address.family, type: type, protocol: 0)
        if let interface { try bind(to: interface) }
        try connect(to: address, port: port)
    }

    deinit {
        close(descriptor)
    }

    /// Has every packet leave by an interface or not at all.
    func bind(to interface: String) throws(Errno) { try DeviceBinding.bind(descriptor, toDevice: interface) }

    /// Begins to connect; the socket is writable once that has ended.
    func connect(to address: IPAddress, port: UInt16) throws(Errno) {
        let result = unsafe address.withSocketAddress(port: port) { unsafe Glibc.connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else { throw Errno(rawValue: errno) }
    }

    /// Has a connection be reset when the socket is closed, which leaves nothing behind on either side (SO_LINGER, socket(7)).
    func resetWhenClosed() {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    }

    /// What became of connecting, or of the last packet sent (SO_ERROR).
    var failure: Errno? {
        var value: CInt = 0
        var count = socklen_t(MemoryLayout<CInt>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &value, &count) == 0 else {
            return Errno(rawValue: errno)
        }
        return value == 0 ? nil : Errno(rawValue: value)
    }
}

extension ProbeSocket {
    /// What connect(2) says at once; nil where it goes on.
    static func connectFailure(
        _ type: CInt, _ address: IPAddress, _ port: UInt16, by interface: String?
    ) -> Errno? {
        do throws(Errno) {
            _ = try ProbeSocket(type, connectingTo: address, port: port, by: interface)
            return nil
        } catch {
            return error
        }
    }

    /// Whether it is an address of this host's that is wanting for a connection, and no port: then a datagram finds none, too.
    static func lacksSource(to address: IPAddress?, by interface: String?) -> Bool {
        guard let address else { return false }
        return connectFailure(.datagram, address, 9, by: interface) == .addressNotAvailable
    }
}

extension CInt {
    /// The kind of socket that TCP has.
    static let stream = CInt(SOCK_STREAM.rawValue)
    /// The kind of socket that UDP has.
    static let datagram = CInt(SOCK_DGRAM.rawValue)
}
