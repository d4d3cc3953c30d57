import CNetlink
import Glibc
import SystemPackage

/// Owns one netlink socket of libnl's, and its descriptor. All system calls on netlink sockets are in this file and in
/// ``DatagramBuffer``.
@safe
struct SocketHandle: ~Copyable, Sendable {
    /// The `nl_sock`. Safe because its owner cannot be copied: where that is sent, nothing is left behind that could use it.
    nonisolated(unsafe) let pointer: OpaquePointer?
    let descriptor: CInt

    /// What a call of ``receive()`` came to.
    enum Reception: ~Copyable {
        case datagram(Datagram)
        /// There is nothing to read (EAGAIN).
        case empty
        /// The kernel dropped messages (ENOBUFS).
        case overrun
        /// The datagram was longer than the buffer.
        case truncated
        case failed(Errno)
    }

    /// Opens a socket with a port of the kernel's choice. libnl would derive one from the process id, which collides
    /// with other users of netlink in the process and across process namespaces; it would also lower the buffer.
    init(protocol netlinkProtocol: CInt) throws(NetlinkError) {
        let opened = socket(AF_NETLINK, CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue), netlinkProtocol)
        guard opened >= 0 else { throw .socket(call: "socket(AF_NETLINK)", Errno(rawValue: errno)) }
        do throws(NetlinkError) {
            try Self.bind(opened)
            unsafe pointer = try Self.adopt(opened, netlinkProtocol)
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
        unsafe nl_socket_disable_auto_ack(pointer)
        unsafe nl_socket_disable_seq_check(pointer)
        unsafe nl_socket_disable_msg_peek(pointer)
    }

    deinit {
        unsafe nl_socket_free(pointer)  // Closes the descriptor too.
    }

    /// The netlink port that the kernel gave the socket.
    var port: UInt32 { unsafe nl_socket_get_local_port(pointer) }

    private static func bind(_ descriptor: CInt) throws(NetlinkError) {
        var local = sockaddr_nl()
        local.nl_family = sa_family_t(AF_NETLINK)
        let result = unsafe withUnsafePointer(to: &local) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard result == 0 else { throw .socket(call: "bind(AF_NETLINK)", Errno(rawValue: errno)) }
    }

    private static func adopt(_ descriptor: CInt, _ netlinkProtocol: CInt) throws(NetlinkError) -> OpaquePointer {
        guard let pointer = unsafe nl_socket_alloc() else { throw .socket(call: "nl_socket_alloc", .noMemory) }
        guard unsafe nl_socket_set_fd(pointer, netlinkProtocol, descriptor) == 0 else {
            let cause = Errno(rawValue: errno)
            unsafe nl_socket_free(pointer)
            throw .socket(call: "nl_socket_set_fd", cause)
        }
        return unsafe pointer
    }

    // MARK: Messages

    /// Completes a message with port and sequence number, sends it, and returns the sequence number.
    func send(_ message: OpaquePointer) throws(Errno) -> UInt32 {
        unsafe nl_complete_msg(pointer, message)
        guard unsafe nl_send(pointer, message) >= 0 else { throw Errno(rawValue: errno) }
        return unsafe nlmsg_hdr(message).pointee.nlmsg_seq
    }

    // MARK: Many messages at once

    /// Sequence numbers for so many messages: the first of them.
    func nextSequence(count: Int) -> UInt32 {
        let first = unsafe nl_socket_use_seq(pointer)
        for _ in 1..<max(count, 1) { _ = unsafe nl_socket_use_seq(pointer) }
        return first
    }

    /// Sends messages, whole with header and number, in one datagram.
    ///
    /// - Returns: Whether the kernel took them.
    func send(_ messages: [UInt8]) -> Bool {
        unsafe messages.withUnsafeBytes { bytes in
            unsafe nl_sendto(pointer, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) >= 0
        }
    }

    // MARK: One message at a time

    /// Reads one datagram.
    func receive() -> Reception {
        var sender = sockaddr_nl()
        var buffer: UnsafeMutablePointer<UInt8>?
        let count = unsafe nl_recv(pointer, &sender, &buffer, nil)
        // libnl's own codes fold ENOBUFS into "out of memory"; errno tells them apart.
        guard count > 0, let buffer = unsafe buffer else {
            return count == -NLE_MSG_TRUNC
                ? .truncated : count == 0 ? .empty : Self.reception(of: Errno(rawValue: errno))
        }
        return unsafe .datagram(Datagram(adopting: buffer, count: Int(count), senderPort: sender.nl_pid))
    }

    private static func reception(of errno: Errno) -> Reception {
        switch errno {
        case .resourceTemporarilyUnavailable, .wouldBlock: .empty
        case .noBufferSpace: .overrun
        default: .failed(errno)
        }
    }
}
