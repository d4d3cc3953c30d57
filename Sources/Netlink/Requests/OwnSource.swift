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
        return unsafe withUnsafeTemporaryAllocation(of: sockaddr_storage.self, capacity: 1) { place in
            let bytes = UnsafeMutableRawBufferPointer(place)
            var count = socklen_t(bytes.count)
            let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            guard let address = unsafe address, unsafe getsockname(descriptor, address, &count) == 0 else {
                return nil
            }
            let name = unsafe bytes.assumingMemoryBound(to: UInt8.self).span.extracting(first: Int(count))
            return IPAddress(socketAddress: name)
        }
    }
}
