public import Synchronization

/// One subscriber's values that it has not taken yet: bounded, so that a slow reader costs little and holds up neither a monitor
/// nor another reader.
///
/// When it is full, what is in it becomes one value that stands for all.
@usableFromInline
package final class Mailbox<Value: Broadcastable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var values: [Value] = []
        @usableFromInline var lastNumber: UInt64?
        /// In the order in which they began to wait: copies of one iterator may wait in several tasks.
        @usableFromInline var waiting: [WaitingReader<Value>] = []
        @usableFromInline var isFinished = false

        @inlinable
        init() {}
    }

    @usableFromInline let capacity: Int
    @usableFromInline let arrival: (@Sendable () -> Void)?
    @usableFromInline let state = Mutex(State())

    /// - Parameter arrival: Called when there is something to take, or nothing will come any more.
    @inlinable
    package init(capacity: Int, arrival: (@Sendable () -> Void)? = nil) {
        self.capacity = max(capacity, 1)
        self.arrival = arrival
    }

    /// Tells its owner that values were put in. Not a part of ``put(_:)``, which is called where others must not be.
    @inlinable
    package func announce() {
        arrival?()
    }

    /// Puts a value in, unless its number was here before.
    @inlinable
    package func put(_ value: Value) {
        enter(value)?()
    }

    /// The same, where a lock is held: a reader that waited for it is not resumed, but what resumes it is handed back.
    ///
    /// - Parameter company: How many come at one stroke, none of which could have been taken before the others: a reader is not
    ///   behind for them.
    @inlinable
    package func enter(_ value: Value, among company: Int = 1) -> (@Sendable () -> Void)? {
        let reader: WaitingReader<Value>? = state.withLock { state in
            let isNew = value.number.map { number in state.lastNumber.map { number > $0 } ?? true } ?? true
            guard !state.isFinished, isNew else { return nil }
            state.lastNumber = value.number ?? state.lastNumber
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.values.append(value)
            if state.values.count >= capacity + max(company, 1) { state.values = [Value.standing(for: state.values)] }
            return nil
        }
        guard let reader else { return nil }
        return { reader.continuation.resume(returning: value) }
    }

    /// Takes a value out that is there already.
    @inlinable
    package func take() -> Value? {
        state.withLock { $0.values.isEmpty ? nil : $0.values.removeFirst() }
    }

    /// Waits for a value; nil once the mailbox is finished or the task is cancelled.
    @inlinable
    package func next() async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            finish()
        }
    }

    @inlinable
    func wait(_ reader: CheckedContinuation<Value?, Never>) {
        let answer: Value?? = state.withLock { state in
            if !state.values.isEmpty { return state.values.removeFirst() }
            if state.isFinished { return .some(nil) }
            state.waiting.append(WaitingReader(reader))
            return nil
        }
        if let answer { reader.resume(returning: answer) }
    }

    /// Ends it: what is in it can still be taken.
    @inlinable
    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for reader in readers { reader.continuation.resume(returning: nil) }
        arrival?()
    }

    /// Whether nothing is in it and nothing will come any more.
    @inlinable package var isOver: Bool { state.withLock { $0.isFinished && $0.values.isEmpty } }

    @inlinable package var isEmpty: Bool { state.withLock { $0.values.isEmpty } }
}

/// A reader that waits for a value. A reference to it is copied here; a continuation only by Swift's runtime.
@usableFromInline
final class WaitingReader<Value: Sendable>: Sendable {
    @usableFromInline let continuation: CheckedContinuation<Value?, Never>

    @inlinable
    init(_ continuation: CheckedContinuation<Value?, Never>) {
        self.continuation = continuation
    }
}
