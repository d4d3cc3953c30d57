import CCares
import Glibc
import NetworkAddress
import SystemPackage

/// The sockets of a channel's queries, made and used here in place of c-ares, which forgets what the kernel said of them.
enum QuerySockets {
    /// Safe because it is written once, before anything reads it, and never freed: c-ares keeps the pointer for as long as
    /// there is any channel.
    nonisolated(unsafe) static let functions: UnsafePointer<ares_socket_functions> = {
        let functions = UnsafeMutablePointer<ares_socket_functions>.allocate(capacity: 1)
        unsafe functions.initialize(
            to: ares_socket_functions(
                asocket: { family, kind, number, context in
                    unsafe AresChannel.from(context)?.openSocket(family, kind, number) ?? -1
                },
                aclose: { descriptor, _ in close(descriptor) },
                aconnect: { descriptor, address, count, context in
                    unsafe noting(context, .connect, descriptor) {
                        unsafe AresChannel.from(context)?.connect(descriptor, address, count) ?? -1
                    }
                },
                arecvfrom: { descriptor, bytes, size, flags, address, count, context in
                    unsafe noting(context, .receive, descriptor) {
                        let received = unsafe recvfrom(descriptor, bytes, size, flags, address, count)
                        if received >= 0, unsafe isNoAnswer(descriptor, bytes, received) {
                            unsafe AresChannel.from(context)?.hear()
                        }
                        return received
                    }
                },
                asendv: { descriptor, vectors, count, context in
                    unsafe noting(context, .send, descriptor) { unsafe send(descriptor, vectors, count) }
                }))
        return unsafe UnsafePointer(functions)
    }()

    /// What a socket was to do when the kernel refused.
    enum Step {
        case connect
        case send
        case receive
    }

    /// Makes a call, and has the channel know how it failed. c-ares reads `errno` afterwards.
    static func noting<Value: BinaryInteger>(
        _ context: UnsafeMutableRawPointer?, _ step: Step, _ descriptor: CInt, _ call: () -> Value
    ) -> Value {
        let result = call()
        guard result < 0 else { return result }
        let failure = errno
        // A datagram for which there is no local port. c-ares would wait for it to be connected.
        let isWithoutPort = step == .connect && failure == EAGAIN
        if ![EINPROGRESS, EAGAIN, EINTR].contains(failure) || isWithoutPort {
            unsafe AresChannel.from(context)?.note(Errno(rawValue: failure), step, descriptor)
        }
        errno = isWithoutPort ? EADDRNOTAVAIL : failure
        return result
    }

    /// Writes a question. What the link's own queue drops is lost as anything on the way is, which the kernel tells only those
    /// who want errors told (ip(7), send(2)): it comes of a cable that has just been pulled, and is no want of this host's.
    private static func send(_ descriptor: CInt, _ vectors: UnsafePointer<iovec>?, _ count: CInt) -> Int {
        var message = unsafe msghdr()
        unsafe message.msg_iov = UnsafeMutablePointer(mutating: vectors)
        unsafe message.msg_iovlen = Int(count)
        // A server that has closed its connection is told by errno alone, and not by a signal to this process.
        let sent = unsafe sendmsg(descriptor, &message, CInt(MSG_NOSIGNAL))
        guard sent < 0, errno == ENOBUFS else { return sent }
        return unsafe UnsafeBufferPointer(start: vectors, count: Int(count)).reduce(0) { unsafe $0 + $1.iov_len }
    }

    /// Whether what a server has sent may answer no question by itself: that it is to be asked by TCP (TC, RFC 1035,
    /// section 4.2.1), or anything by that, its end too. The sockets are connected: they hear no other host.
    private static func isNoAnswer(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        guard count > 2, let bytes = unsafe bytes, !isStream(descriptor) else { return true }
        return unsafe bytes.load(fromByteOffset: 2, as: UInt8.self) & 0x02 != 0
    }

    static func isStream(_ descriptor: CInt) -> Bool {
        var kind: CInt = 0
        var count = socklen_t(MemoryLayout<CInt>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &count) == 0 else { return false }
        return kind == CInt(SOCK_STREAM.rawValue)
    }

    /// Has the errors of the network told, and not only those that end a connection (ip(7)).
    static func wantErrors(_ descriptor: CInt, _ family: CInt) {
        var on: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        if family == AF_INET {
            unsafe setsockopt(descriptor, CInt(IPPROTO_IP), IP_RECVERR, &on, size)
        } else {
            unsafe setsockopt(descriptor, CInt(IPPROTO_IPV6), IPV6_RECVERR, &on, size)
        }
    }

    /// Takes all errors that a socket keeps beside those of its calls.
    static func dropErrors(of descriptor: CInt) {
        while ErrorQueue.takeOffender(of: descriptor) != nil {}
    }

    /// What a refusal that a socket has met tells of the host that it is connected to.
    static func word(ofRefusal descriptor: CInt) -> ServerWord {
        // An RST of TCP is in no queue.
        guard let offender = ErrorQueue.takeOffender(of: descriptor) else {
            return isStream(descriptor) ? .refused : .told
        }
        return IPAddress(ofPeer: descriptor) == offender ? .heard : .told
    }
}
