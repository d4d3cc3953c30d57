import EventLoop
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

    /// Runs work on the loop and returns what it has come to when it has ended. Fails where the process ends before.
    static func run<Value: Sendable>(
        on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        guard loop.isIsolatingCurrentContext() != true else { throw CalledFromCallback() }
        guard !EventLoop.isProcessEnding else { throw CalledAtExit() }
        let done = Signal()
        let outcome = Mutex<Result<Value, any Error>?>(nil)
        Task(executorPreference: loop) {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            done.send()
        }
        EventLoop.wait(for: done)
        guard let result = outcome.withLock({ $0 }) else { throw CalledAtExit() }
        return try result.get()
    }
}
