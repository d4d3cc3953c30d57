#if Service
package import EventLoop
import Synchronization

/// Asks a loop for a sign of life.
package struct LoopCheck: Sendable {
    private let loop: EventLoop

    package init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Whether the loop turns within a time.
    package func isAlive(within limit: Duration) async -> Bool {
        let race = Race()
        let limiter = Task {
            try? await Task.sleep(for: limit)
            race.finish(false)
        }
        defer { limiter.cancel() }
        return await withCheckedContinuation { continuation in
            race.start(continuation)
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
