import CLinux
import EventLoop
import Glibc
import Netwatch
import Synchronization

/// Lets a synchronous caller, as every caller from C is, wait for work on the loop.
enum Blocking {
    /// Waiting on the loop's own thread would wait for ever.
    struct CalledFromCallback: Error, CustomStringConvertible {
        var description: String { "this function must not be called from the callback of the same monitor" }
    }

    /// The process ends, and its loops stand still.
    struct CalledAtExit: Error, CustomStringConvertible {
        var description: String { "the process ends: its monitors do nothing more" }
    }

    /// Runs work on the loop and returns what it has come to when it has ended.
    static func run<Value: Sendable>(
        on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        guard loop.isIsolatingCurrentContext() != true else { throw CalledFromCallback() }
        guard !loop.isHalted else { throw CalledAtExit() }
        let done = Signal()
        let outcome = Outcome<Value>()
        Task(executorPreference: loop) {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            outcome.result.withLock { $0 = result }
            done.send()
        }
        done.wait()
        guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }
}

/// One event that one thread waits for (sem_init(3)): it needs no descriptor, for want of which a stop could fail.
@safe
private final class Signal: Sendable {
    /// Safe because the functions on it are made for several threads.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func send() {
        unsafe sem_post(semaphore)
    }

    func wait() {
        while unsafe sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
