import CLinux
import Glibc
import Synchronization

/// A few file descriptors kept back for the end of a program.
///
/// What ends it in order starts Swift's pool of threads, which stands on Dispatch; and Dispatch traps where it gets no
/// descriptor for its own `epoll(7)`. It is not started before, because it wakes up once a second from then on.
final class DescriptorReserve: Sendable {
    static let size = 8
    /// How long the end waits for the pool, in milliseconds.
    private static let patience: CInt = 500

    private let descriptors: Mutex<[CInt]>

    /// Takes what there is.
    init() {
        descriptors = Mutex((0..<Self.size).map { _ in eventfd(0, CInt(EFD_CLOEXEC)) }.filter { $0 >= 0 })
    }

    deinit {
        for descriptor in take() { close(descriptor) }
    }

    /// Gives the descriptors back, and waits until the pool runs: no probe that is waiting for one may take them.
    func release() {
        var given = take()
        // This one stays open: where the pool comes too late, it is written to later.
        guard let report = given.popLast() else { return }
        for descriptor in given { close(descriptor) }
        // Detached, because it is to run on the pool, whatever calls here: that is what starts the pool. It ends with its one
        // call, and nothing has to cancel it.
        Task.detached { eventfd_write(report, 1) }
        var query = pollfd(fd: report, events: Int16(POLLIN), revents: 0)
        unsafe poll(&query, 1, Self.patience)
    }

    private func take() -> [CInt] {
        descriptors.withLock { descriptors in
            defer { descriptors = [] }
            return descriptors
        }
    }
}
