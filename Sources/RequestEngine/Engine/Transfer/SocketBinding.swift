import Glibc
import NetworkAddress
import SystemPackage

/// Binds sockets before they connect, and makes sure that it happened.
enum SocketBinding {
    struct Refusal: Error {
        let reason: RequestError.Reason
    }

    static func bind(_ descriptor: CInt, to interface: InterfaceBinding) throws(Refusal) {
        do throws(Errno) {
            switch interface {
            case .name(let name): try DeviceBinding.bind(descriptor, toDevice: name)
            case .index(let index): try DeviceBinding.bind(descriptor, toIndex: index)
            }
        } catch {
            throw Refusal(reason: .interfaceRefused(interface, error))
        }
    }

    /// Binds to a local address; the port is chosen at connecting (IP_BIND_ADDRESS_NO_PORT, ip(7)).
    static func bind(_ descriptor: CInt, to address: IPAddress) throws(Refusal) {
        var late: CInt = 1
        unsafe setsockopt(
            descriptor, CInt(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &late, socklen_t(MemoryLayout<CInt>.size))
        guard unsafe address.withSocketAddress({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw Refusal(reason: .sourceAddressRefused(address, Errno(rawValue: errno)))
        }
    }

    /// Announces a smaller segment than the link allows, and sends none that is larger. A size that the kernel refuses, as
    /// one below 88 bytes, is as good as none: nothing depends on it but how long packets are.
    static func limitSegments(_ descriptor: CInt, to size: Int) {
        var size = CInt(clamping: size)
        unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_MAXSEG, &size, socklen_t(MemoryLayout<CInt>.size))
    }
}
