import EventLoop
import Glibc
import NetworkAddress
import SystemPackage

/// A router's advertisement (RFC 4861 section 4.2) as a test sends it.
public struct RouterAdvertisement: Sendable {
    public enum Option: Sendable {
        case recursiveDNSServers([String], lifetime: UInt32)
        case searchDomains([String], lifetime: UInt32)
        case captivePortal(String)
        /// A prefix of /64 that hosts make addresses in, for so many seconds.
        case prefix(String, lifetime: UInt32)

        var bytes: [UInt8] {
            switch self {
            case .recursiveDNSServers(let addresses, let lifetime):
                option(25, [0, 0] + lifetime.bytes + addresses.flatMap { IPAddress($0)?.bytes ?? [] })
            case .searchDomains(let names, let lifetime):
                option(31, [0, 0] + lifetime.bytes + names.flatMap(Self.encode))
            case .captivePortal(let address):
                option(37, Array(address.utf8))
            case .prefix(let address, let lifetime):
                // On the link, and for autonomous configuration; valid and preferred for as long.
                option(
                    3, [64, 0xC0] + lifetime.bytes + lifetime.bytes + [0, 0, 0, 0] + (IPAddress(address)?.bytes ?? []))
            }
        }

        private static func encode(_ name: String) -> [UInt8] {
            name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
        }

        private func option(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
            let units = (body.count + 2 + 7) / 8
            return [type, UInt8(units)] + body + Array(repeating: 0, count: units * 8 - 2 - body.count)
        }
    }

    var options: [Option]
    /// For how many seconds the router is a default router.
    var lifetime: UInt16

    public init(options: [Option], lifetime: UInt16 = 1800) {
        self.options = options
        self.lifetime = lifetime
    }

    /// ICMPv6 type 134; the kernel fills in the checksum.
    var bytes: [UInt8] {
        [134, 0, 0, 0, 64, 0, UInt8(lifetime >> 8), UInt8(lifetime & 0xFF), 0, 0, 0, 0, 0, 0, 0, 0]
            + options.flatMap(\.bytes)
    }

    /// Sends it to all nodes of a link, in the namespace of the calling thread.
    func send(by link: String) throws {
        let descriptor = socket(AF_INET6, CInt(SOCK_RAW.rawValue), CInt(IPPROTO_ICMPV6))
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        defer { close(descriptor) }
        var hops: CInt = 255
        setsockopt(descriptor, CInt(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, &hops, socklen_t(MemoryLayout<CInt>.size))
        var target = sockaddr_in6()
        target.sin6_family = sa_family_t(AF_INET6)
        target.sin6_scope_id = if_nametoindex(link)
        inet_pton(AF_INET6, "ff02::1", &target.sin6_addr)
        let sent = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
        guard sent == bytes.count else { throw Errno(rawValue: errno) }
    }
}

extension TestNamespace {
    /// Sends an advertisement from this namespace while the caller stays where it is.
    public func sendAndForget(_ advertisement: RouterAdvertisement, by link: String) throws {
        let loop = try EventLoop(networkNamespace: descriptor)
        loop.schedule(after: .zero) {
            // A failure shows as the message that does not come.
            try? advertisement.send(by: link)
            withExtendedLifetime(loop) {}
        }
    }
}

extension UInt32 {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
