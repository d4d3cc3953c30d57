import CLinux
import EventLoop
import Glibc
import Netwatch
import Synchronization
import SystemPackage

/// Lets a synchronous caller, as every caller from C is, wait for work on the loop.
enum Blocking {
    /// Waiting on the loop's own thread would wait for ever.
    struct CalledFromCallback: Error, CustomStringConvertible {
        var description: String { "this function must not be called from the callback of the same monitor" }
    }

    /// Runs work on the loop and returns what it has come to when it has ended.
    static func run<Value: Sendable>(
        on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        guard loop.isIsolatingCurrentContext() != true else { throw CalledFromCallback() }
        let done = try Signal()
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

/// One event that one thread waits for (`eventfd(2)`).
private final class Signal: Sendable {
    private let descriptor: CInt

    init() throws {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw EventLoopError.setup(call: "eventfd", Errno(rawValue: errno)) }
    }

    deinit {
        close(descriptor)
    }

    func send() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func wait() {
        var count: UInt64 = 0
        while unsafe read(descriptor, &count, MemoryLayout<UInt64>.size) < 0 && errno == EINTR {}
    }
}
