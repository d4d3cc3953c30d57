#if Service
package import EventLoop
import Synchronization

/// Asks a loop for a sign of life.
package struct LoopCheck: Sendable {
    private let loop: EventLoop

    package init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Whether the loop turns before a timer of another thread's ends.
    ///
    /// - Parameter timer: Starts that timer, which calls what it is given.
    package func isAlive(before timer: (@escaping @Sendable () -> Void) -> Void) async -> Bool {
        let race = Race()
        return await withCheckedContinuation { continuation in
            race.start(continuation)
            timer { race.finish(false) }
            loop.schedule(after: .zero) { race.finish(true) }
        }
    }
}

/// The loop's answer and the time limit race for the continuation, which is resumed exactly once.
private final class Race: Sendable {
    private let continuation = Mutex<CheckedContinuation<Bool, Never>?>(nil)

    func start(_ continuation: CheckedContinuation<Bool, Never>) {
        self.continuation.withLock { $0 = continuation }
    }

    func finish(_ result: Bool) {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: result)
    }
}
#endif
