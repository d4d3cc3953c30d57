import CLinux
import Glibc
import NetworkAddress
import SystemPackage

/// One unprivileged ICMP socket (`icmp(7)`): one family, one interface, any number of requests.
final class EchoSocket {
    private static let addressSize = MemoryLayout<sockaddr_in6>.size
    /// How many datagrams in a row may be nothing of this program's.
    private static let mostPassedOver = 64

    let descriptor: CInt
    private let family: AddressFamily

    /// A datagram that came in, with what the kernel said about it.
    struct Arrival {
        var sequence: UInt16
        /// Nil where a router has returned no more of a request than its header.
        var token: UInt64?
        /// Its sender; of a request that came back, where that was sent to.
        var peer: IPAddress?
        var control: ControlMessages
    }

    init(_ family: AddressFamily, interface: String?) throws(EchoError) {
        self.family = family
        let (domain, protocolNumber) =
            family == .ipv4
            ? (AF_INET, CInt(IPPROTO_ICMP)) : (AF_INET6, CInt(IPPROTO_ICMPV6))
        let kind = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(domain, kind, protocolNumber)
        guard descriptor >= 0 else {
            throw errno == EACCES || errno == EPERM ? .notPermitted : .socket(call: "socket", Errno(rawValue: errno))
        }
        try turnOn(SOL_SOCKET, SO_TIMESTAMPNS)
        // What waits for its host's link address stays in it for seconds.
        var room: CInt = 1 << 20
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<CInt>.size))
        try turnOn(levelOfFamily, family == .ipv4 ? IP_RECVERR : IPV6_RECVERR)
        try turnOn(levelOfFamily, family == .ipv4 ? IP_RECVTTL : IPV6_RECVHOPLIMIT)
        if let interface {
            do throws(Errno) { try DeviceBinding.bind(descriptor, toDevice: interface) } catch {
                throw .interfaceRefused(interface, error)
            }
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func send(_ packet: EchoPacket, to address: IPAddress) throws(EchoError) {
        let bytes = packet.request(family)
        // The error that another's request came back with is told by the next call, which sends nothing, and is over then.
        for isLast in [false, true] {
            let sent = unsafe address.withSocketAddress { pointer, length in
                unsafe sendto(descriptor, bytes, bytes.count, 0, pointer, length)
            }
            // What the link's own queue drops is lost as anything on the way is (send(2)): a cable was pulled just now.
            guard sent < 0, errno != ENOBUFS else { return }
            guard isLast else { continue }
            // The socket's buffer is full of what waits for its host's link address.
            throw errno == EAGAIN ? .tooManyRequests : .unreachable(address, Errno(rawValue: errno))
        }
    }

    /// The next reply; nil when there is none left. Anything that is not a reply is passed over.
    func receiveReply() -> Arrival? {
        for _ in 0..<Self.mostPassedOver {
            guard let (bytes, peer, control) = receive(flags: 0) else { return nil }
            guard let packet = EchoPacket(reply: bytes, family) else { continue }
            return Arrival(sequence: packet.sequence, token: packet.token, peer: peer, control: control)
        }
        return nil
    }

    /// The next request of ours that came back with an error; nil when there is none left.
    func receiveError() -> Arrival? {
        for _ in 0..<Self.mostPassedOver {
            guard let (bytes, peer, control) = receive(flags: CInt(MSG_ERRQUEUE)) else { return nil }
            // A redirect has no error number of its own, and the request is on its way all the same (ping_err(),
            // net/ipv4/ping.c).
            guard control.error != EREMOTEIO, let sequence = EchoPacket.sequence(returned: bytes, family) else {
                continue
            }
            let token = EchoPacket(returned: bytes, family)?.token
            return Arrival(sequence: sequence, token: token, peer: peer, control: control)
        }
        return nil
    }

    private var levelOfFamily: CInt { family == .ipv4 ? CInt(IPPROTO_IP) : CInt(IPPROTO_IPV6) }

    private func turnOn(_ level: CInt, _ option: CInt) throws(EchoError) {
        var on: CInt = 1
        guard unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<CInt>.size)) == 0 else {
            throw .socket(call: "setsockopt", Errno(rawValue: errno))
        }
    }

    private func receive(flags: CInt) -> (bytes: [UInt8], peer: IPAddress?, control: ControlMessages)? {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512 + Self.addressSize) { data in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { control in
                var vector = unsafe iovec(iov_base: data.baseAddress, iov_len: 512)
                return unsafe withUnsafeMutablePointer(to: &vector) { vector in
                    var message = unsafe msghdr()
                    unsafe message.msg_name = data.baseAddress.map { unsafe UnsafeMutableRawPointer($0 + 512) }
                    unsafe message.msg_namelen = socklen_t(Self.addressSize)
                    unsafe message.msg_iov = vector
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = UnsafeMutableRawPointer(control.baseAddress)
                    unsafe message.msg_controllen = control.count
                    let count = unsafe recvmsg(descriptor, &message, flags)
                    guard count >= 0 else { return nil }
                    let said = unsafe control.span.extracting(first: Int(message.msg_controllen))
                    let name = unsafe data.span.extracting(512...).extracting(first: Int(message.msg_namelen))
                    return unsafe (
                        Array(data.prefix(count)), IPAddress(socketAddress: name), ControlMessages(said)
                    )
                }
            }
        }
    }
}
