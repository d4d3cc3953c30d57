#if Service
import CLinux
import Dispatch
import Glibc
import Synchronization

/// A few file descriptors kept back for the end of a program.
///
/// What ends it in order starts Swift's pool of threads, which stands on Dispatch; and Dispatch traps where it gets no
/// descriptor for its own `epoll(7)`. It is not started before, because it wakes up once a second from then on.
final class DescriptorReserve: Sendable {
    static let size = 8
    private static let patience = DispatchTimeInterval.milliseconds(500)

    private let descriptors: Mutex<[CInt]>

    /// Takes what there is.
    init() {
        descriptors = Mutex((0..<Self.size).map { _ in eventfd(0, CInt(EFD_CLOEXEC)) }.filter { $0 >= 0 })
    }

    deinit { give() }

    /// Gives the descriptors back, and waits until Dispatch has its own: no probe that is waiting for one may take them.
    func release() {
        guard give() else { return }
        let isReady = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { isReady.signal() }
        _ = isReady.wait(timeout: .now() + Self.patience)
    }

    @discardableResult
    private func give() -> Bool {
        let given = descriptors.withLock { descriptors in
            defer { descriptors = [] }
            return descriptors
        }
        for descriptor in given { close(descriptor) }
        return !given.isEmpty
    }
}
#endif
