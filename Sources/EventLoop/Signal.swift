import CLinux
import Glibc

/// One event that one thread waits for (sem_init(3)): it needs no descriptor, for want of which a stop could fail.
@safe
package final class Signal: Sendable {
    /// Safe because the functions on it are made for several threads.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    package func send() {
        unsafe sem_post(semaphore)
    }

    package func wait() {
        while unsafe sem_wait(semaphore) != 0, errno == EINTR {}
    }

    /// - Returns: Whether it was sent in time.
    package func wait(until deadline: MonotonicTime) -> Bool {
        var time = timespec(deadline)
        while unsafe sem_clockwait(semaphore, CLOCK_MONOTONIC, &time) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }
}
