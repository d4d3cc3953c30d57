import DequeModule
import Dispatch
import RequestEngine
import Synchronization

/// Pieces of a body on their way to the disk: in their order, a few at a time, on a thread that may wait.
final class WritePipeline: Sendable {
    enum Admission {
        /// The piece will be written; a buffer to fill next.
        case taken([UInt8])
        /// Too many wait. The transfer is resumed once there is room.
        case full
        case failed(RequestError.Reason)
    }

    private struct State {
        var pieces: Deque<[UInt8]> = []
        var isPaused = false
        var failure: RequestError.Reason?
        /// Buffers that were written, to be filled again.
        var spares: [[UInt8]] = []
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "netwatch.download", target: WritePipeline.threads)
    private let resume: @Sendable () -> Void
    private let write: @Sendable ([UInt8]) throws(RequestError) -> Void

    private static let threads = DispatchQueue(label: "netwatch.downloads", attributes: .concurrent)
    private static let mostWaiting = 3

    init(
        resume: @escaping @Sendable () -> Void,
        write: @escaping @Sendable ([UInt8]) throws(RequestError) -> Void
    ) {
        self.resume = resume
        self.write = write
    }

    /// Hands a piece over, unless too many wait.
    func submit(_ piece: [UInt8]) -> Admission {
        let admission: Admission = state.withLock { state in
            if let failure = state.failure { return .failed(failure) }
            state.isPaused = state.pieces.count >= Self.mostWaiting
            guard !state.isPaused else { return .full }
            state.pieces.append(piece)
            return .taken(state.spares.popLast() ?? [])
        }
        guard case .taken = admission else { return admission }
        queue.async { self.carryOutNext() }
        return admission
    }

    /// Hands the last piece over, and calls back once all are written, with what went wrong.
    func end(_ piece: [UInt8], _ done: @escaping @Sendable (RequestError.Reason?) -> Void) {
        state.withLock { $0.pieces.append(piece) }
        queue.async {
            self.carryOutNext()
            done(self.state.withLock(\.failure))
        }
    }

    private func carryOutNext() {
        guard var piece = state.withLock({ $0.pieces.first }) else { return }
        let failure = attempt(piece)
        let mayGoOn = state.withLock { state in
            state.pieces.removeFirst()
            state.failure = state.failure ?? failure
            piece.removeAll(keepingCapacity: true)
            state.spares.append(piece)
            guard state.isPaused, state.pieces.count <= Self.mostWaiting / 2 else { return false }
            state.isPaused = false
            return true
        }
        if mayGoOn { resume() }
    }

    private func attempt(_ piece: [UInt8]) -> RequestError.Reason? {
        guard !piece.isEmpty, state.withLock({ $0.failure == nil }) else { return nil }
        do throws(RequestError) {
            try write(piece)
            return nil
        } catch {
            return error.reason
        }
    }
}
