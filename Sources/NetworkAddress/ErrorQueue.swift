import Glibc

/// The errors that a socket with `IP_RECVERR` keeps beside those of its calls (ip(7)).
package enum ErrorQueue {
    /// Takes the oldest error, and tells whose it was: the address of the host or router that sent it, this host's own for
    /// one of this kernel; nil where there is none.
    package static func takeOffender(of descriptor: CInt) -> IPAddress? {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { bytes in
            var vector = iovec(iov_base: bytes.baseAddress, iov_len: 512)
            return withUnsafeMutablePointer(to: &vector) { vector in
                var message = msghdr()
                message.msg_iov = vector
                message.msg_iovlen = 1
                message.msg_control = bytes.baseAddress.map { $0 + 512 }
                message.msg_controllen = 512
                guard recvmsg(descriptor, &message, CInt(MSG_ERRQUEUE)) >= 0 else { return nil }
                let control = bytes[512..<512 + min(512, Int(message.msg_controllen))]
                return offender(in: UnsafeRawBufferPointer(rebasing: control))
            }
        }
    }

    /// Behind each header (cmsg(3)) the error stands in `struct sock_extended_err`, and behind that its sender's address.
    private static func offender(in control: UnsafeRawBufferPointer) -> IPAddress? {
        var offset = 0
        while offset + headerSize <= control.count {
            let header = control.loadUnaligned(fromByteOffset: offset, as: cmsghdr.self)
            let length = Int(header.cmsg_len)
            guard length >= headerSize, length <= control.count - offset else { return nil }
            if isError(header) {
                let data = UnsafeRawBufferPointer(rebasing: control[offset + headerSize..<offset + length])
                return offender(ofError: data)
            }
            offset += (length + 7) & ~7
        }
        return nil
    }

    private static func isError(_ header: cmsghdr) -> Bool {
        header.cmsg_level == CInt(IPPROTO_IP) && header.cmsg_type == IP_RECVERR
            || header.cmsg_level == CInt(IPPROTO_IPV6) && header.cmsg_type == IPV6_RECVERR
    }

    /// Reads the sender's address of an error out of the data of its control message.
    package static func offender(ofError data: UnsafeRawBufferPointer) -> IPAddress? {
        guard data.count >= errorSize + MemoryLayout<sockaddr_in>.size, let base = data.baseAddress else { return nil }
        let family = data.loadUnaligned(fromByteOffset: errorSize, as: sa_family_t.self)
        let size = family == sa_family_t(AF_INET6) ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        guard data.count >= errorSize + size else { return nil }
        return IPAddress(socketAddress: base + errorSize)
    }

    private static let headerSize = MemoryLayout<cmsghdr>.size
    private static let errorSize = 16
}
