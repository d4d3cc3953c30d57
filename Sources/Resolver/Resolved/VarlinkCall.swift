internal import EventLoop
internal import Synchronization
internal import SystemPackage

/// One call over varlink. The answer, the deadline and the task's cancellation race for it, and one of them ends it.
final class VarlinkCall: Sendable {
    enum Outcome: Sendable {
        case answer([UInt8])
        case timedOut
        case cancelled
        case failed(Errno)
    }

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var socket: VarlinkSocket?
        var watch: Watch?
        var timer: Timer?
        var received: [UInt8] = []
    }

    private let loop: EventLoop
    private let state = Mutex(State())

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Sends a message to a service and waits for what it answers.
    func send(_ message: [UInt8], to path: String, until deadline: MonotonicTime) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { begin(message, path, deadline, $0) }
        } onCancel: {
            finish(.cancelled)
        }
    }

    private func begin(
        _ message: [UInt8], _ path: String, _ deadline: MonotonicTime,
        _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        let early: Outcome? = state.withLock { state in
            if let outcome = state.outcome { return outcome }
            do throws(Errno) {
                let socket = try VarlinkSocket(path: path)
                try socket.send(message)
                state.socket = socket
                state.watch = try? loop.watch(socket.descriptor, for: .readable) { _ in self.receive() }
            } catch {
                return .failed(error)
            }
            guard state.watch != nil else { return .failed(.tooManyOpenFiles) }
            state.timer = loop.schedule(at: deadline) { self.finish(.timedOut) }
            state.continuation = continuation
            return nil
        }
        if let early { continuation.resume(returning: early) }
    }

    private func receive() {
        let outcome: Outcome? = state.withLock { state in
            do throws(Errno) {
                while let bytes = try state.socket?.read() {
                    state.received += bytes
                    if let end = state.received.firstIndex(of: 0) { return .answer(Array(state.received[..<end])) }
                    guard state.received.count <= VarlinkSocket.mostBytes else { return .failed(.messageTooLong) }
                }
                return nil
            } catch {
                return .failed(error)
            }
        }
        if let outcome { finish(outcome) }
    }

    private func finish(_ outcome: Outcome) {
        let ended = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            defer { state = State(outcome: state.outcome) }
            return state
        }
        if let watch = ended.watch { loop.end(watch) }
        if let timer = ended.timer { loop.cancel(timer) }
        if let outcome = ended.outcome { ended.continuation?.resume(returning: outcome) }
    }
}
