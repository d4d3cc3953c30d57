import RequestEngine
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
final class ProgressSource: Sendable {
    private struct State {
        var latest: TransferProgress?
        var isFinished = false
        var readers: [AsyncStream<TransferProgress>.Continuation] = []
    }

    private let state = Mutex(State())

    /// A new reader's stream: what is known now, and what comes.
    var stream: AsyncStream<TransferProgress> {
        let (stream, reader) = AsyncStream.makeStream(
            of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
        let (latest, isFinished) = state.withLock { state in
            if !state.isFinished { state.readers.append(reader) }
            return (state.latest, state.isFinished)
        }
        if let latest { reader.yield(latest) }
        if isFinished { reader.finish() }
        return stream
    }

    func update(_ progress: TransferProgress) {
        let readers = state.withLock { state in
            state.latest = progress
            return state.readers
        }
        for reader in readers { reader.yield(progress) }
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.finish() }
    }
}
