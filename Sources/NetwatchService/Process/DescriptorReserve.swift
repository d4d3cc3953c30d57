import CLinux
import Glibc
import Synchronization

/// A few file descriptors, and room for threads, kept back for the end of a program.
///
/// What ends it in order starts Swift's pool of threads, which stands on Dispatch; and Dispatch traps where it gets no
/// descriptor for its own `epoll(7)`, and tries again for ever where it gets no memory for a thread (RLIMIT_AS). It is not
/// started before, because it wakes up once a second from then on.
final class DescriptorReserve: Sendable {
    static let size = 8
    /// How long the end waits for the pool, in milliseconds.
    private static let patience: CInt = 500

    /// Room for the stacks of eight threads, as far as the limit of the address space is concerned: nothing is ever written there.
    private static let room = 72 << 20

    private let descriptors: Mutex<[CInt]>
    /// Where the room is.
    private let place: Mutex<UInt?>

    /// Takes what there is.
    init() {
        descriptors = Mutex((0..<Self.size).map { _ in eventfd(0, CInt(EFD_CLOEXEC)) }.filter { $0 >= 0 })
        let room = unsafe mmap(nil, Self.room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        place = Mutex(unsafe room == MAP_FAILED ? nil : UInt(bitPattern: room))
    }

    deinit {
        for descriptor in take() { close(descriptor) }
        giveRoom()
    }

    /// Gives the descriptors back, and waits until the pool runs: no probe that is waiting for one may take them.
    func release() {
        giveRoom()
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

    private func giveRoom() {
        guard let place = place.withLock({ $0.take() }) else { return }
        // A thread that needs memory would take 64 MiB of addresses for an arena of its own.
        _ = netwatch_share_arenas()
        _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: place), Self.room)
    }

    private func take() -> [CInt] {
        descriptors.withLock { exchange(&$0, with: []) }
    }
}
