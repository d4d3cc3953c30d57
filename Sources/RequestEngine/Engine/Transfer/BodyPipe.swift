import EventLoop
import FoundationEssentials
import Synchronization

/// One piece of a body on its way from its writer to the transfer that reads it. The writer waits until its piece
/// has been read, and the reader is told when there is something again.
final class BodyPipe: Sendable {
    private typealias Writer = CheckedContinuation<Bool, Never>

    private struct State {
        var rest = Data()
        var writer: Writer?
        var end: BodySupply?
        var isReaderWaiting = false
        var isClosed = false

        mutating func takeReader() -> Bool {
            exchange(&isReaderWaiting, with: false)
        }
    }

    private let state = Mutex(State())
    private let resume: @Sendable () -> Void

    init(resume: @escaping @Sendable () -> Void) {
        self.resume = resume
    }

    // MARK: Writing

    /// Waits until the piece has been read; false where the transfer reads no more.
    func write(_ piece: Data) async -> Bool {
        guard !piece.isEmpty else { return !state.withLock(\.isClosed) }
        return await withCheckedContinuation { writer in
            let (isTaken, isReaderWaiting) = state.withLock { state in
                guard !state.isClosed else { return (false, false) }
                state.rest = piece
                state.writer = writer
                return (true, state.takeReader())
            }
            if !isTaken { writer.resume(returning: false) }
            if isReaderWaiting { resume() }
        }
    }

    /// Notes the end, or what went wrong.
    func end(_ failure: String?) {
        let isReaderWaiting = state.withLock { state in
            state.end = failure.map { .failed(.bodyFailed($0)) } ?? .end
            return state.takeReader()
        }
        if isReaderWaiting { resume() }
    }

    // MARK: Reading

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySupply {
        let (supply, writer): (BodySupply, Writer?) = state.withLock { state in
            let count = min(buffer.count, state.rest.count)
            guard count > 0 else {
                state.isReaderWaiting = state.end == nil
                return (state.end ?? .paused, nil)
            }
            unsafe state.rest.copyBytes(to: buffer, count: count)
            state.rest = state.rest.dropFirst(count)
            return (.bytes(count), state.rest.isEmpty ? state.writer.take() : nil)
        }
        writer?.resume(returning: true)
        return supply
    }

    /// Has the reader go on now and then, until it reads no more.
    func resume(each pause: Duration, on loop: EventLoop) {
        loop.schedule(after: pause) { [weak self, weak loop] in
            guard let self, let loop, !state.withLock(\.isClosed) else { return }
            resume()
            resume(each: pause, on: loop)
        }
    }

    /// Reads no more.
    func close() {
        let writer = state.withLock { state in
            state.isClosed = true
            state.rest = Data()
            return state.writer.take()
        }
        writer?.resume(returning: false)
    }
}
