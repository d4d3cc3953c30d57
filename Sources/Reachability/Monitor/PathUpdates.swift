import Synchronization

/// The updates of a ``PathMonitor``, beginning with the path as it is.
///
/// A reader that is slower than the updates come holds neither the monitor nor other readers up. It has room for a few; when that is full, they become
/// one that leads from the oldest path to the newest and says how many were skipped.
public struct PathUpdates: AsyncSequence, Sendable {
    public typealias Element = PathUpdate
    public typealias Failure = Never

    let broadcast: UpdateBroadcast

    public func makeAsyncIterator() -> Iterator {
        Iterator(buffer: broadcast.subscribe())
    }

    public struct Iterator: AsyncIteratorProtocol {
        let buffer: UpdateBuffer

        /// Waits for the next update; nil once the monitor was stopped or the task cancelled.
        public mutating func next() async -> PathUpdate? {
            await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> PathUpdate? {
            let buffer = buffer
            return await withTaskCancellationHandler {
                await withCheckedContinuation { buffer.wait($0) }
            } onCancel: {
                buffer.finish()
            }
        }
    }
}

/// One reader's updates that it has not taken yet.
final class UpdateBuffer: Sendable {
    private static let capacity = 16

    private struct State {
        var updates: [PathUpdate] = []
        var reader: CheckedContinuation<PathUpdate?, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())

    func send(_ update: PathUpdate) {
        let reader = state.withLock { state in
            guard !state.isFinished else { return nil as CheckedContinuation<PathUpdate?, Never>? }
            guard let reader = state.reader.take() else {
                state.updates.append(update)
                if state.updates.count > Self.capacity { state.updates = Self.coalesced(state.updates) }
                return nil
            }
            return reader
        }
        reader?.resume(returning: update)
    }

    func wait(_ reader: CheckedContinuation<PathUpdate?, Never>) {
        let answer: PathUpdate?? = state.withLock { state in
            if !state.updates.isEmpty { return state.updates.removeFirst() }
            if state.isFinished { return .some(nil) }
            state.reader = reader
            return nil
        }
        if let answer { reader.resume(returning: answer) }
    }

    /// Ends the sequence after what is in the buffer.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }

    private static func coalesced(_ updates: [PathUpdate]) -> [PathUpdate] {
        guard let first = updates.first, var last = updates.last else { return [] }
        last.previous = first.previous
        last.isResync = updates.contains(where: \.isResync)
        last.skipped = updates.reduce(0) { $0 + $1.skipped + 1 } - 1
        return [last]
    }
}
