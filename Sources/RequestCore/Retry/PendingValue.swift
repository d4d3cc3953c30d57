internal import EventLoop
internal import Synchronization

/// A value that many wait for and that comes once. Each of them may be cancelled without the others noticing.
final class PendingValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [UInt64: CheckedContinuation<Value?, Never>] = [:]
        var nextWaiter: UInt64 = 0
        /// Waiters that were cancelled before they came to wait.
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())

    /// Gives the value to all tasks that wait, and to all that come later. Only the first counts.
    func resolve(_ value: Value) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Waits for the value; nil where the task that waits is cancelled before, or the time has come.
    func wait(until deadline: MonotonicTime? = nil, on loop: EventLoop? = nil) async -> Value? {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let timer = deadline.flatMap { deadline in loop?.schedule(at: deadline) { self.leave(number) } }
        defer { if let timer { loop?.cancel(timer) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { enter(number, $0) }
        } onCancel: {
            leave(number)
        }
    }

    private func enter(_ number: UInt64, _ continuation: CheckedContinuation<Value?, Never>) {
        let answer: Value?? = state.withLock { state in
            if let value = state.value { return .some(value) }
            if state.cancelled.remove(number) != nil { return .some(nil) }
            state.waiters[number] = continuation
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func leave(_ number: UInt64) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: number)
            if waiter == nil, state.value == nil { state.cancelled.insert(number) }
            return waiter
        }
        waiter?.resume(returning: nil)
    }
}
