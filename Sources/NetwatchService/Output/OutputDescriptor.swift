import Glibc
import SystemPackage

/// A descriptor that takes what it can at once and never blocks.
///
/// O_NONBLOCK belongs to the open file, which other processes share (the shell's own terminal, say), so it is never
/// set on the descriptor that was handed to the program. A pipe or a terminal is opened anew instead, a socket is
/// written with MSG_DONTWAIT, and a file does not block.
final class OutputDescriptor: Sendable {
    /// What one attempt came to.
    enum Outcome {
        case written(Int)
        case full
    }

    private enum Medium {
        case file
        case socket
        /// Opened anew, without blocking.
        case ownStream
        /// A pipe or a terminal that cannot be opened anew; it is asked first and given little at a time.
        case sharedStream
    }

    let rawValue: CInt
    private let name: String
    private let medium: Medium

    /// Whether the kernel tells by epoll(7) when it takes more. Files always take more.
    var isPollable: Bool { medium != .file }

    init(_ descriptor: FileDescriptor, name: String) throws(OutputError) {
        guard let type = try? descriptor.stat().type else { throw .notOpen(name: name) }
        self.name = name
        let medium = Self.medium(of: type)
        let own = medium == .ownStream ? Self.reopen(descriptor) : -1
        guard own < 0 else {
            (self.rawValue, self.medium) = (own, medium)
            return
        }
        self.medium = medium == .ownStream ? .sharedStream : medium
        rawValue = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 3)
        guard rawValue >= 0 else { throw .failed(name: name, Errno(rawValue: errno)) }
    }

    deinit {
        close(rawValue)
    }

    func write(_ bytes: Span<UInt8>) throws(OutputError) -> Outcome {
        while true {
            let count = unsafe bytes.withUnsafeBytes { unsafe attempt($0) }
            if count >= 0 { return .written(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .full
            case EPIPE, ECONNRESET: throw .closed
            case EIO where isPollable: throw .closed
            case let code: throw .failed(name: name, Errno(rawValue: code))
            }
        }
    }

    private func attempt(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch medium {
        case .file, .ownStream: unsafe Glibc.write(rawValue, bytes.baseAddress, bytes.count)
        case .socket: unsafe send(rawValue, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        case .sharedStream: unsafe writeWhereThereIsRoom(bytes)
        }
    }

    /// A pipe that polls as writable takes PIPE_BUF bytes without blocking (pipe(7)).
    private func writeWhereThereIsRoom(_ bytes: UnsafeRawBufferPointer) -> Int {
        var query = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        let ready = unsafe poll(&query, 1, 0)
        guard ready != 0 else {
            errno = EAGAIN
            return -1
        }
        return unsafe ready < 0 ? -1 : Glibc.write(rawValue, bytes.baseAddress, min(bytes.count, 4096))
    }

    private static func medium(of type: FileType) -> Medium {
        switch type {
        case .socket: .socket
        case .fifo, .characterSpecial: .ownStream
        default: .file
        }
    }

    private static func reopen(_ descriptor: FileDescriptor) -> CInt {
        unsafe open("/proc/self/fd/\(descriptor.rawValue)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }
}
