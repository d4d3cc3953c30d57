import Synchronization

/// The border between the monitor and its readers on other threads: the current path, and each reader's buffer.
final class UpdateBroadcast: Sendable {
    private struct State {
        var latest: Shared<PathUpdate>?
        var buffers: [WeakBuffer] = []
        var isClosed = false
    }

    private struct WeakBuffer {
        weak var buffer: UpdateBuffer?
    }

    private let state = Mutex(State())

    deinit {
        finish()
    }

    var currentPath: Path {
        state.withLock { $0.latest?.value.path } ?? .unknown
    }

    func subscribe() -> UpdateBuffer {
        let buffer = UpdateBuffer()
        state.withLock { state in
            state.buffers.removeAll { $0.buffer == nil }
            state.buffers.append(WeakBuffer(buffer: buffer))
            if let latest = state.latest { buffer.send(latest.value.asFirst) }
            if state.isClosed { buffer.finish() }
        }
        return buffer
    }

    /// - Returns: The update before.
    func send(_ update: PathUpdate) -> Shared<PathUpdate>? {
        let (last, buffers) = state.withLock { state in
            defer { state.latest = Shared(update) }
            return (state.latest, state.buffers.isEmpty ? [] : state.buffers.compactMap(\.buffer))
        }
        for buffer in buffers { buffer.send(update) }
        return last
    }

    /// Ends all sequences, those to come too: there will be no further start.
    func close() {
        state.withLock { $0.isClosed = true }
        finish()
    }

    /// Ends all sequences. The path stays the one last known until the next start.
    func finish() {
        let buffers = state.withLock { state in
            defer { state.buffers = [] }
            return state.buffers.compactMap(\.buffer)
        }
        for buffer in buffers { buffer.finish() }
    }
}

extension PathUpdate {
    /// The update as a reader sees it that has seen none before.
    var asFirst: PathUpdate {
        var first = self
        first.previous = .unknown
        first.skipped = 0
        return first
    }
}
