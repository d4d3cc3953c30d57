import CLinux
import Glibc
import Synchronization

/// Wakes a client's thread, and tells it what for.
final class Waker: Sendable {
    struct Requests: OptionSet {
        let rawValue: UInt8
        static let stop = Requests(rawValue: 1)
        /// There is something to send.
        static let send = Requests(rawValue: 2)
        /// The next attempt is not to wait.
        static let retry = Requests(rawValue: 4)
    }

    /// An eventfd; negative where the kernel has none left, and then the thread looks once a second.
    let descriptor = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
    private let requests = Mutex<Requests>([])

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// From any thread; it never waits.
    func wake(_ request: Requests) {
        let isNew = requests.withLock { requests in
            defer { requests.formUnion(request) }
            return !requests.isSuperset(of: request)
        }
        guard isNew, descriptor >= 0 else { return }
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    var isStopping: Bool { requests.withLock { $0.contains(.stop) } }

    /// What was asked for since the last call. A stop stays.
    func take() -> Requests {
        var count: UInt64 = 0
        if descriptor >= 0 { _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size) }
        return requests.withLock { requests in
            defer { requests.formIntersection(.stop) }
            return requests
        }
    }

    /// Waits until something is asked for, or readiness of another descriptor, or the time is over.
    ///
    /// - Returns: What the other descriptor is ready for.
    func wait(_ other: CInt = -1, for events: CInt = 0, milliseconds: CInt) -> CInt {
        var entries = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(truncatingIfNeeded: events), revents: 0),
        ]
        let limit = descriptor < 0 ? min(milliseconds, 1000) : milliseconds
        guard unsafe poll(&entries, 2, limit) > 0 else { return 0 }
        return CInt(entries[1].revents)
    }
}
