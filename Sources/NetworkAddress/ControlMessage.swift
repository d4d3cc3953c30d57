import Glibc

/// What the kernel says beside the bytes of a datagram (cmsg(3)).
package enum ControlMessage {
    /// `struct cmsghdr`, without the bytes behind it: a size for which C has an array of no length.
    private struct Header: BitwiseCopyable {
        var length: Int
        var level: CInt
        var type: CInt
    }

    /// Hands over level, type and data of each message, as far as they are whole.
    package static func forEach(in bytes: Span<UInt8>, _ body: (CInt, CInt, Span<UInt8>) -> Void) {
        let headerSize = MemoryLayout<Header>.size
        var offset = 0
        while offset + headerSize <= bytes.count {
            let header = bytes.load(Header.self, at: offset)
            guard header.length >= headerSize, header.length <= bytes.count - offset else { return }
            body(header.level, header.type, bytes.extracting(offset + headerSize..<offset + header.length))
            offset += (header.length + 7) & ~7
        }
    }

    /// Whether its data is an error's (ip(7), ipv6(7)).
    package static func isError(level: CInt, type: CInt) -> Bool {
        level == CInt(IPPROTO_IP) && type == IP_RECVERR || level == CInt(IPPROTO_IPV6) && type == IPV6_RECVERR
    }
}
