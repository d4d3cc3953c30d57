import CNetlink
import Glibc
import SystemPackage

extension SocketHandle {
    /// SOL_NETLINK, which no header that Swift can read defines.
    private static let netlinkLevel: CInt = 270

    /// Makes reads and writes return at once where they would wait.
    func setNonblocking() throws(NetlinkError) {
        guard unsafe nl_socket_set_nonblocking(pointer) == 0 else {
            throw .socket(call: "fcntl(O_NONBLOCK)", Errno(rawValue: errno))
        }
    }

    /// Sets the length that one read can take; what is longer counts as truncated.
    func setReadBufferSize(_ bytes: Int) throws(NetlinkError) {
        guard unsafe nl_socket_set_msg_buf_size(pointer, bytes) == 0 else {
            throw .socket(call: "nl_socket_set_msg_buf_size", .invalidArgument)
        }
    }

    func join(_ group: CInt) throws(NetlinkError) {
        guard unsafe nl_socket_add_membership(pointer, group) == 0 else {
            throw .socket(call: "setsockopt(NETLINK_ADD_MEMBERSHIP, \(group))", Errno(rawValue: errno))
        }
    }

    /// Turns a netlink option on. A kernel that does not know it answers less precisely, and works all the same.
    func enable(_ option: CInt, named name: String) throws(NetlinkError) {
        do throws(Errno) {
            try set(Self.netlinkLevel, option, CInt(1))
        } catch {
            guard error == .protocolNotAvailable else { throw .socket(call: "setsockopt(\(name))", error) }
        }
    }

    /// How long a blocking read waits.
    func setReceiveTimeout(seconds: Int) throws(NetlinkError) {
        do throws(Errno) {
            try set(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: seconds, tv_usec: 0))
        } catch {
            throw .socket(call: "setsockopt(SO_RCVTIMEO)", error)
        }
    }

    /// Sets the kernel's queue for this socket: beyond `net.core.rmem_max` where the process may (CAP_NET_ADMIN), else
    /// as far as that allows.
    func setReceiveBufferSize(_ bytes: Int) throws(NetlinkError) {
        let size = CInt(clamping: bytes)
        do throws(Errno) {
            do throws(Errno) {
                try set(SOL_SOCKET, SO_RCVBUFFORCE, size)
            } catch {
                try set(SOL_SOCKET, SO_RCVBUF, size)
            }
        } catch {
            throw .socket(call: "setsockopt(SO_RCVBUF)", error)
        }
    }

    /// What the kernel's queue holds, in its own account (`socket(7)`: twice what was asked for).
    var receiveBufferSize: Int {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &value, &length) == 0 else { return 0 }
        return Int(value)
    }

    /// SO_MEMINFO: nine words, of which SK_MEMINFO_RMEM_ALLOC, SK_MEMINFO_RCVBUF and SK_MEMINFO_DROPS are told.
    var receiveQueue: ReceiveQueue {
        var words = [UInt32](repeating: 0, count: 9)
        var length = socklen_t(words.count * MemoryLayout<UInt32>.size)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, &words, &length)
        return ReceiveQueue(queuedBytes: Int(words[0]), capacity: Int(words[1]), droppedMessages: Int(words[8]))
    }

    /// Whether neither a datagram nor an error waits to be read now.
    var isEmpty: Bool {
        var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&query, 1, 0) == 0
    }

    /// Attaches a filter in place of the one before; on failure there is none.
    func attach(_ program: [sock_filter]) throws(NetlinkError) {
        var program = program
        do throws(Errno) {
            try unsafe program.withUnsafeMutableBufferPointer { (instructions) throws(Errno) in
                let count = UInt16(clamping: instructions.count)
                try unsafe set(SOL_SOCKET, SO_ATTACH_FILTER, sock_fprog(len: count, filter: instructions.baseAddress))
            }
        } catch {
            var unused: CInt = 0
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_DETACH_FILTER, &unused, socklen_t(MemoryLayout<CInt>.size))
            throw .socket(call: "setsockopt(SO_ATTACH_FILTER)", error)
        }
    }

    func set<Value: BitwiseCopyable>(_ level: CInt, _ option: CInt, _ value: Value) throws(Errno) {
        var value = value
        let length = socklen_t(MemoryLayout<Value>.size)
        guard unsafe setsockopt(descriptor, level, option, &value, length) == 0 else { throw Errno(rawValue: errno) }
    }
}
