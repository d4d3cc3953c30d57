import Glibc

/// The errors that a socket with `IP_RECVERR` keeps beside those of its calls (ip(7)).
package enum ErrorQueue {
    /// Takes the oldest error, and tells whose it was: the address of the host or router that sent it, this host's own for
    /// one of this kernel; nil where there is none.
    package static func takeOffender(of descriptor: CInt) -> IPAddress? {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { bytes in
            var vector = unsafe iovec(iov_base: bytes.baseAddress, iov_len: 512)
            return unsafe withUnsafeMutablePointer(to: &vector) { vector in
                var message = unsafe msghdr()
                unsafe message.msg_iov = vector
                unsafe message.msg_iovlen = 1
                unsafe message.msg_control = bytes.baseAddress.map { unsafe UnsafeMutableRawPointer($0 + 512) }
                unsafe message.msg_controllen = 512
                guard unsafe recvmsg(descriptor, &message, CInt(MSG_ERRQUEUE)) >= 0 else { return nil }
                let control = unsafe bytes.span.extracting(512...)
                return unsafe offender(in: control.extracting(first: Int(message.msg_controllen)))
            }
        }
    }

    private static func offender(in control: Span<UInt8>) -> IPAddress? {
        var offender: IPAddress?
        ControlMessage.forEach(in: control) { level, type, data in
            if offender == nil, ControlMessage.isError(level: level, type: type) {
                offender = Self.offender(ofError: data)
            }
        }
        return offender
    }

    /// Reads the sender's address of an error out of the data of its control message: `struct sock_extended_err`, and behind
    /// that the address.
    package static func offender(ofError data: Span<UInt8>) -> IPAddress? {
        data.count > errorSize ? IPAddress(socketAddress: data.extracting(errorSize...)) : nil
    }

    private static let errorSize = 16
}
