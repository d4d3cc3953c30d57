package import RequestEngine
import Synchronization

/// Passes the progress of one task on to its readers.
final class ProgressMonitor: EventMonitor {
    let sent = ProgressSource()
    let received = ProgressSource()

    func observe(_ event: TaskEvent) {
        switch event.kind {
        case .sent(let progress): sent.update(progress)
        case .received(let progress): received.update(progress)
        default: break
        }
    }

    func finish() {
        sent.finish()
        received.finish()
    }
}

/// A progress that any number of readers follow. Each sees the newest, and not necessarily every one before.
package final class ProgressSource: Sendable {
    private struct State {
        var latest: TransferProgress?
        var isFinished = false
        var readers: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
        var nextReader = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How many readers follow it now.
    package var readerCount: Int { state.withLock { $0.readers.count } }

    /// A new reader's stream: what is known now, and what comes.
    package var stream: AsyncStream<TransferProgress> {
        let (stream, reader) = AsyncStream.makeStream(
            of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
        let (isFinished, number) = state.withLock { state in
            let number = state.nextReader
            state.nextReader += 1
            if !state.isFinished { state.readers[number] = reader }
            // With the lock held: a newer one must not go before it.
            if let latest = state.latest { reader.yield(latest) }
            return (state.isFinished, number)
        }
        // One that looks at its progress again and again, and reads each only for a while, would pile them up.
        reader.onTermination = { [weak self] _ in self?.forget(number) }
        if isFinished { reader.finish() }
        return stream
    }

    package func update(_ progress: TransferProgress) {
        let readers = state.withLock { state in
            state.latest = progress
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(progress) }
    }

    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    private func forget(_ number: Int) {
        _ = state.withLock { $0.readers.removeValue(forKey: number) }
    }
}
