import DequeModule
import FoundationEssentials
import RequestEngine
import Synchronization

/// Holds what has come of a body until it is asked for, up to a limit; beyond it the transfer waits.
///
/// The transfer writes on the loop's thread; readers read wherever they are, each piece goes to one of them.
final class BodyStreamBuffer: Sendable {
    typealias Piece = Result<Data?, RequestError>

    fileprivate struct State {
        var pieces: Deque<Data> = []
        var count = 0
        var isPaused = false
        var head: ResponseHead?
        var end: Result<Response, RequestError>?
        /// In the order in which they began to wait.
        var readers: Deque<CheckedContinuation<Piece, Never>> = []
        var headReader: CheckedContinuation<Result<ResponseHead, RequestError>, Never>?
        var resume: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    // MARK: Writing

    /// Learns of the answer, and how to make the transfer go on after a pause.
    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) {
        let reader = state.withLock { state in
            state.head = head
            state.resume = resume
            return state.headReader.take()
        }
        reader?.resume(returning: .success(head))
    }

    /// Learns of an answer whose body was kept back until it was known that it is the last.
    func take(late response: Response) {
        guard state.withLock({ $0.head == nil }) else { return }
        begin(ResponseHead(response)) {}
        guard !response.body.isEmpty else { return }
        let reader = state.withLock { state in
            let reader = state.readers.popFirst()
            if reader == nil {
                state.pieces.append(response.body)
                state.count += response.body.count
            }
            return reader
        }
        reader?.resume(returning: .success(response.body))
    }

    /// Whether the reader has the header of an answer, or can have it.
    var hasHead: Bool { state.withLock { $0.head != nil } }

    /// Takes a piece; false where there is no room for it now. A piece is taken whole, however long it is.
    func write(_ bytes: Span<UInt8>) -> Bool {
        let piece = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
        let (isTaken, reader): (Bool, CheckedContinuation<Piece, Never>?) = state.withLock { state in
            if let reader = state.readers.popFirst() { return (true, reader) }
            state.isPaused = state.count >= capacity
            guard !state.isPaused else { return (false, nil) }
            state.pieces.append(piece)
            state.count += piece.count
            return (true, nil)
        }
        reader?.resume(returning: .success(piece))
        return isTaken
    }

    /// Learns how it ended.
    func end(_ result: Result<Response, RequestError>) {
        let (readers, headReader) = state.withLock { state in
            state.end = result
            state.resume = nil
            defer { state.readers = [] }
            return (state.readers, state.headReader.take())
        }
        for reader in readers { reader.resume(returning: result.map { _ in nil }) }
        headReader?.resume(returning: result.map(ResponseHead.init))
    }

    // MARK: Reading

    func head() async -> Result<ResponseHead, RequestError> {
        await withCheckedContinuation { continuation in
            let head: Result<ResponseHead, RequestError>? = state.withLock { state in
                if let head = state.head { return .success(head) }
                if let end = state.end { return end.map(ResponseHead.init) }
                state.headReader = continuation
                return nil
            }
            if let head { continuation.resume(returning: head) }
        }
    }

    /// The next piece; nil at the end. A pause of the transfer ends once half of what was held is read.
    func next() async -> Piece {
        await withCheckedContinuation { continuation in
            let (piece, resume): (Piece?, (@Sendable () -> Void)?) = state.withLock { state in
                if let piece = state.pieces.popFirst() {
                    state.count -= piece.count
                    return (.success(piece), state.takeResume(below: capacity / 2))
                }
                if let end = state.end { return (end.map { _ in nil }, nil) }
                state.readers.append(continuation)
                return (nil, state.takeResume(below: capacity))
            }
            resume?()
            if let piece { continuation.resume(returning: piece) }
        }
    }

    /// The whole response without its body, once everything has come.
    var response: Response? {
        state.withLock { state in try? state.end?.get() }
    }
}

extension BodyStreamBuffer.State {
    /// How to make a paused transfer go on, where there is room again.
    fileprivate mutating func takeResume(below limit: Int) -> (@Sendable () -> Void)? {
        guard isPaused, count <= limit else { return nil }
        isPaused = false
        return resume
    }
}
