import Glibc
import NetworkAddress

/// A socket of IPv6 that sends nothing, and tells from which address the kernel would send. It is kept, so that no shortage of
/// descriptors is taken for the lack of a way.
@safe
struct SourceFinder: ~Copyable, Sendable {
    private let descriptor: CInt

    /// Nil where the kernel has no IPv6.
    init?() {
        descriptor = socket(AF_INET6, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Nil where nothing leads there.
    func source(to destination: IPAddress) -> IPAddress? {
        guard unsafe destination.withSocketAddress({ unsafe connect(descriptor, $0, $1) }) == 0 else { return nil }
        // The next choice is to be a new one: connect(2) to no family lets go of the address.
        defer {
            var nobody = sockaddr()
            nobody.sa_family = sa_family_t(AF_UNSPEC)
            _ = unsafe connect(descriptor, &nobody, socklen_t(MemoryLayout<sockaddr>.size))
        }
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
