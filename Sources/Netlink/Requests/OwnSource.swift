import Glibc
import NetworkAddress
import SystemPackage

/// From which address the kernel sends, by a socket that sends nothing.
enum OwnSource {
    /// - Returns: The address of IPv6 that a connection would have; nil where nothing leads there.
    /// - Throws: What keeps it from being asked, as a shortage of descriptors does.
    static func address(to destination: IPAddress) throws(Errno) -> IPAddress? {
        let descriptor = socket(AF_INET6, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            let reason = Errno(rawValue: errno)
            guard reason == .addressFamilyNotSupported else { throw reason }
            return nil
        }
        defer { close(descriptor) }
        guard unsafe destination.withSocketAddress({ unsafe connect(descriptor, $0, $1) }) == 0 else { return nil }
        return IPAddress(ofSocket: descriptor)
    }
}
