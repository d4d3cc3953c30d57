import Glibc
import NetworkAddress
import SystemPackage

/// Binds sockets before they connect, and makes sure that it happened.
enum SocketBinding {
    struct Refusal: Error {
        let reason: RequestError.Reason
    }

    static func bind(_ descriptor: CInt, to interface: InterfaceBinding) throws(Refusal) {
        let failure =
            switch interface {
            case .name(let name): bind(descriptor, name: name)
            case .index(let index): bind(descriptor, index: index)
            }
        if let failure { throw Refusal(reason: .interfaceRefused(interface, failure)) }
    }

    /// Binds to a local address; the port is chosen at connecting (IP_BIND_ADDRESS_NO_PORT, ip(7)).
    static func bind(_ descriptor: CInt, to address: IPAddress) throws(Refusal) {
        var late: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &late, socklen_t(MemoryLayout<CInt>.size))
        guard address.withSocketAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw Refusal(reason: .sourceAddressRefused(address, Errno(rawValue: errno)))
        }
    }

    /// Announces a smaller segment than the link allows, and sends none that is larger. A size that the kernel refuses, as
    /// one below 88 bytes, is as good as none: nothing depends on it but how long packets are.
    static func limitSegments(_ descriptor: CInt, to size: Int) {
        var size = CInt(clamping: size)
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_MAXSEG, &size, socklen_t(MemoryLayout<CInt>.size))
    }

    private static func bind(_ descriptor: CInt, name: String) -> Errno? {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, bytes.count < Int(IFNAMSIZ), !bytes.contains(0) else { return .noSuchAddressOrDevice }
        let result = setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, bytes, socklen_t(bytes.count))
        guard result == 0 else { return Errno(rawValue: errno) }
        var answer = [UInt8](repeating: 0, count: Int(IFNAMSIZ))
        var count = socklen_t(answer.count)
        guard getsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, &answer, &count) == 0 else {
            return Errno(rawValue: errno)
        }
        return answer.prefix(Int(count)).prefix { $0 != 0 }.elementsEqual(bytes) ? nil : .noSuchAddressOrDevice
    }

    /// The kernel takes any index for a binding, and complains only when the socket connects.
    private static func exists(_ index: UInt32) -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IFNAMSIZ)) { name in
            if_indextoname(index, name.baseAddress) != nil
        }
    }

    private static func bind(_ descriptor: CInt, index: Int) -> Errno? {
        guard var wanted = CInt(exactly: index), wanted > 0 else { return .noSuchAddressOrDevice }
        var count = socklen_t(MemoryLayout<CInt>.size)
        guard setsockopt(descriptor, SOL_SOCKET, SO_BINDTOIFINDEX, &wanted, count) == 0 else {
            return Errno(rawValue: errno)
        }
        var answer: CInt = 0
        guard getsockopt(descriptor, SOL_SOCKET, SO_BINDTOIFINDEX, &answer, &count) == 0 else {
            return Errno(rawValue: errno)
        }
        guard answer == wanted else { return .noSuchAddressOrDevice }
        return exists(UInt32(wanted)) ? nil : .noSuchAddressOrDevice
    }
}
